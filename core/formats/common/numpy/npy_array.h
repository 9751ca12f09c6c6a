// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/formats/common/numpy/npy_header.h"
#include "core/model/checkpoint.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace cairn::formats {

/// Location of a complete `.npy`.
struct NpyPlace {
    FileIndex file;
    std::uint64_t size = 0;    ///< from its magic to its end
    std::uint64_t offset = 0;  ///< raw: offset of the magic in the file
    CodecId codec = kRawCodec; ///< otherwise: the codec that locates the first element in `stored`
    ByteRange stored;
    std::string where;             ///< for messages: the file or the member
    std::uint64_t whereOffset = 0; ///< for messages: offset of the magic in it
};

/// How an array becomes a tensor. Records, dates, long doubles and raw bytes have an additional
/// last axis: the bytes of one element; without room for an axis, one dimension of bytes.
struct NpyTensor {
    Shape shape;
    Strides strides; ///< in elements; empty: dense C order
};
/// REQUIRES: the element is not an object, and the array's size does not overflow.
NpyTensor npyTensor(const NpyElement& element, const Shape& shape, bool fortran);

/// Converts headers into tensors of one checkpoint. Numbers become tensors; text becomes strings;
/// records, dates, long doubles and raw bytes become opaque bytes with an additional last axis of
/// the element's size; an object array becomes the bytes of its pickle, which is not loaded.
/// Anomalies become notices; elements beyond the end of the file leave the tensor without a piece
/// and the checkpoint incomplete. Not thread-safe; used while a checkpoint is opened.
class NpyArrays {
public:
    explicit NpyArrays(CheckpointData& data) : m_data(data) {}

    void add(std::string name, const NpyHeader& header, const NpyPlace& place);

    /// Arrays without dimensions under their names, and NumPy's descriptions of opaque types.
    [[nodiscard]] Value values() const;

    /// Reports once that element types have no name.
    void noteNameless();

private:
    void addText(Piece& piece, const NpyHeader& header);
    void noteKind(const std::string& name, const NpyHeader& header, const NpyPlace& place);
    void note(Severity severity, Error error);
    void incomplete(Sentence why);

    CheckpointData& m_data;
    std::vector<ValueItem> m_values;
    std::string m_bfloat16; ///< name of the first tensor with an unnamed type
    std::string m_oneByte;
    std::size_t m_notices = 0;
    using TextKey = std::tuple<NpyKind, std::uint64_t, bool, CodecId>;
    std::map<TextKey, CodecId> m_textCodecs;
};

/// One element of fixed-width text, 'S' or 'U', without its padding; 'U' as UTF-8. Fails:
/// BadEncoding.
Result<std::string> npyText(const NpyElement& element, std::span<const std::byte> item);

/// Fixed-width text, 'S' or 'U', in the canonical form of string_elements.h. `inner` locates the
/// elements (null: they are stored raw). Decodes when a piece is located, at most kMaxStringMemory.
/// Fails: BadEncoding (invalid Unicode), LimitExceeded.
std::shared_ptr<const PieceCodec> makeNpyTextCodec(const NpyElement& element,
                                                   std::shared_ptr<const PieceCodec> inner);

} // namespace cairn::formats
