// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/npy_header.h"
#include "core/model/checkpoint.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace cairn::formats {

/// Where a whole `.npy` is.
struct NpyPlace {
    FileIndex file;
    std::uint64_t size = 0;    ///< of the .npy, from its magic to its end
    std::uint64_t offset = 0;  ///< raw: of the magic's first byte in the file
    CodecId codec = kRawCodec; ///< else: finds the first element in the item `stored`
    ByteRange stored;
    std::string where;             ///< for messages: the file, or the member
    std::uint64_t whereOffset = 0; ///< for messages: of the magic's first byte in it
};

/// Turns headers into tensors of one checkpoint. Numbers become tensors; text becomes strings;
/// records, dates, long doubles and raw bytes become opaque bytes with one more, last, axis of an
/// element's size; an array of objects becomes the bytes of its pickle, which is not loaded. What
/// is odd is a notice; elements beyond the end of the file leave the tensor without a piece and the
/// checkpoint incomplete. One thread, while a checkpoint is opened.
class NpyArrays {
public:
    explicit NpyArrays(CheckpointData& data) : m_data(data) {}

    void add(std::string name, const NpyHeader& header, const NpyPlace& place);

    /// Arrays without dimensions under their names, and NumPy's own words for what is opaque.
    [[nodiscard]] Value values() const;

    /// Reports once what all nameless element types have in common.
    void noteNameless();

private:
    void addText(Piece& piece, const NpyHeader& header);
    void noteKind(const std::string& name, const NpyHeader& header, const NpyPlace& place);
    void note(Severity severity, Error error);
    void incomplete(std::string why);

    CheckpointData& m_data;
    std::vector<ValueItem> m_values;
    std::string m_bfloat16; ///< name of the first tensor without a type's name
    std::string m_oneByte;
    std::size_t m_notices = 0;
    using TextKey = std::tuple<NpyKind, std::uint64_t, bool, CodecId>;
    std::map<TextKey, CodecId> m_textCodecs;
};

/// Text of fixed width, 'S' or 'U', as the canonical form of string_elements.h. `inner` finds the
/// elements (null: the file holds them as they are). Decodes when a piece is located, at most
/// kMaxStringMemory. Fails: BadEncoding (no Unicode), LimitExceeded.
std::shared_ptr<const PieceCodec> makeNpyTextCodec(const NpyElement& element,
                                                   std::shared_ptr<const PieceCodec> inner);

} // namespace cairn::formats
