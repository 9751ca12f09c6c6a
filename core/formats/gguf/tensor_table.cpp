// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/tensor_table.h"

#include "core/base/checked.h"
#include "core/base/visible_text.h"
#include "core/formats/gguf/data_start.h"
#include "core/formats/gguf/ggml_types.h"
#include "core/model/block_numbers.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cairn::formats::gguf {
namespace {

constexpr std::uint64_t kMaxName = 65535;
constexpr std::uint32_t kGgmlDims = 4;
constexpr std::size_t kMaxTensorNotices = 500;
constexpr std::uint64_t kCheckTensors = 4096;

/// What an info states about a tensor's bytes.
struct Place {
    std::uint64_t offset = 0; ///< from the start of the data
    std::uint64_t bytes = 0;
    std::uint32_t type = 0;
    bool sound = false; ///< type, shape and size make sense
};

class TableReader {
public:
    TableReader(HeaderCursor& cursor, const Header& header, FileIndex file)
        : m_cursor(cursor), m_header(header), m_file(file) {}

    Result<TensorTable> read(const CancelToken& cancel) {
        m_table.tensors.reserve(static_cast<std::size_t>(m_header.tensorCount));
        m_places.reserve(static_cast<std::size_t>(m_header.tensorCount));
        for (std::uint64_t i = 0; i < m_header.tensorCount; ++i) {
            if (i % kCheckTensors == 0) {
                CAIRN_CHECK(cancel.check());
            }
            CAIRN_CHECK(readInfo());
        }
        CAIRN_CHECK(findData());
        placeTensors();
        decideRolesByName(m_table.tensors);
        if (m_header.bigEndian) {
            CAIRN_CHECK(orderBlocks());
        }
        return std::move(m_table);
    }

private:
    void note(Severity severity, Error error) {
        m_table.damaged = m_table.damaged || severity == Severity::Error;
        if (m_table.notices.size() < kMaxTensorNotices) {
            m_table.notices.push_back(
                {severity, std::move(error).inFile(m_cursor.source().name())});
        }
    }

    /// name | n_dims u32 | dims | type u32 | offset u64; dims are 32 bits wide in version 1.
    Result<void> readInfo() {
        const std::uint64_t start = m_cursor.position();
        TensorEntry& tensor = m_table.tensors.emplace_back();
        Place& place = m_places.emplace_back();
        CAIRN_TRY(const std::string_view name, m_cursor.text(kMaxName, "tensor name"));
        tensor.name = std::string(name);
        if (!isValidUtf8(tensor.name)) {
            tensor.name = visibleText(tensor.name);
            note(Severity::Warning, fail(ErrorCode::BadEncoding, "A tensor's name is not UTF-8")
                                        .inTensor(tensor.name)
                                        .at(start));
        }
        CAIRN_TRY(const auto rank, m_cursor.number<std::uint32_t>("n_dims"));
        const std::size_t width = m_cursor.countBytes();
        if (std::uint64_t{rank} * width > m_cursor.remaining()) {
            return badRank(tensor, rank, start);
        }
        if (rank <= kMaxRank) {
            CAIRN_TRY(const auto info, m_cursor.peek(rank * width + 12, "tensor info"));
            const bool known = readShape(tensor, info, rank, width);
            place.type = m_cursor.load<std::uint32_t>(info, rank * width);
            place.offset = m_cursor.load<std::uint64_t>(info, rank * width + 4);
            checkTensor(tensor, place, known, start);
            return m_cursor.skip(rank * width + 12, "tensor info");
        }
        note(Severity::Error, badRank(tensor, rank, start));
        return m_cursor.skip(rank * width + 12, "tensor info");
    }

    static Error badRank(const TensorEntry& tensor, std::uint32_t rank, std::uint64_t at) {
        return fail(ErrorCode::GgufBadTensor, "A tensor has too many dimensions")
            .inTensor(tensor.name)
            .inField("n_dims")
            .at(at)
            .butFound(verbatim(std::to_string(rank)))
            .expecting("at most 4");
    }

    /// The fastest dimension comes first. False: one does not fit a signed number.
    bool readShape(TensorEntry& tensor, std::span<const std::byte> info, std::size_t rank,
                   std::size_t width) const {
        tensor.shape = Shape(rank, 0);
        for (std::size_t d = 0; d < rank; ++d) {
            const std::uint64_t extent =
                width == 8 ? m_cursor.load<std::uint64_t>(info, d * 8)
                           : std::uint64_t{m_cursor.load<std::uint32_t>(info, d * 4)};
            if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
                tensor.shape = Shape{0};
                return false;
            }
            tensor.shape[rank - 1 - d] = static_cast<std::int64_t>(extent);
        }
        return true;
    }

    void checkTensor(TensorEntry& tensor, Place& place, bool shapeKnown, std::uint64_t at) {
        const auto bad = [&](Sentence message) {
            return fail(ErrorCode::GgufBadTensor, std::move(message)).inTensor(tensor.name).at(at);
        };
        const auto dtype = dtypeOfGgml(place.type);
        const auto count = elementCount(tensor.shape);
        if (!shapeKnown || !count || *count > std::numeric_limits<std::uint64_t>::max() / 16) {
            note(Severity::Error, bad("A tensor's size overflows")
                                      .butFound(sentence("shape %1", formatDims(tensor.shape))));
            tensor.shape = Shape{0};
            return;
        }
        if (!dtype) {
            tensor.dtype = Dtype::Opaque; // its place is found, its size only from what follows
            return;
        }
        tensor.dtype = *dtype;
        const std::uint32_t block = dtypeInfo(*dtype).blockElements;
        const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape[tensor.shape.size() - 1];
        if (row % block != 0) {
            note(Severity::Error, bad("A quantised tensor's rows are not complete blocks")
                                      .butFound(sentence("%1 of shape %2", dtypeName(*dtype),
                                                         formatDims(tensor.shape)))
                                      .expecting(sentence("a multiple of %1", block)));
            return;
        }
        if (tensor.shape.size() > kGgmlDims) {
            note(Severity::Warning, bad("A tensor has more dimensions than llama.cpp reads")
                                        .butFound(verbatim(formatDims(tensor.shape)))
                                        .expecting("at most 4"));
        }
        place.bytes = dtypeBytes(*dtype, *count).value_or(0);
        place.sound = true;
    }

    /// Without data the file may end before they would begin.
    Result<void> findData() {
        DataExtent extent{m_cursor.position(), 0, 0, m_header.alignment};
        bool known = true;
        for (const Place& place : m_places) {
            known = known && place.sound;
            extent.end =
                std::max(extent.end,
                         checkedAdd(place.offset, place.bytes).value_or(~std::uint64_t{0} >> 1U));
            extent.offsets |= place.offset;
        }
        extent.end = known ? extent.end : 0; // a type of unknown size: nothing to compare with
        CAIRN_TRY(const DataStart start, findDataStart(m_cursor.source(), extent));
        m_dataStart = start.offset;
        m_dataBytes = m_cursor.source().size() - start.offset;
        m_alignment = start.alignment;
        if (start.alignment != m_header.alignment) {
            m_table.notices.push_back(
                {Severity::Error,
                 fail(ErrorCode::GgufBadHeader,
                      "The tensors are stored with a different alignment than the file states; "
                      "llama.cpp and gguf read them from the wrong offsets")
                     .inFile(m_cursor.source().name())
                     .inField("general.alignment")
                     .at(start.offset)
                     .butFound(sentence("data at multiples of %1", start.alignment))
                     .expecting(verbatim(std::to_string(m_header.alignment)))
                     .withHint("The tensors are shown from their actual offsets; rewrite the file, "
                               "for example by consolidating it to GGUF")});
        } else if (known && start.trailing > 0 && !m_places.empty()) {
            note(Severity::Warning,
                 fail(ErrorCode::GgufBadTensor, "Trailing bytes after the last tensor")
                     .at(m_cursor.source().size() - start.trailing)
                     .butFound(sentence("%1 bytes", start.trailing)));
        }
        return {};
    }

    void placeTensors() {
        std::vector<std::uint32_t> order(m_places.size());
        std::iota(order.begin(), order.end(), 0U);
        const auto offsetOf = [&](std::uint32_t i) { return m_places[i].offset; };
        if (!std::ranges::is_sorted(order, {}, offsetOf)) {
            std::ranges::stable_sort(order, {}, offsetOf);
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::uint64_t next =
                i + 1 < order.size() ? m_places[order[i + 1]].offset : m_dataBytes;
            place(order[i], next);
        }
        tieOrNoteOverlaps(order);
    }

    void place(std::uint32_t index, std::uint64_t next) {
        TensorEntry& tensor = m_table.tensors[index];
        Place& place = m_places[index];
        if (tensor.dtype == Dtype::Opaque) {
            showOpaque(tensor, place, next);
        }
        if (!place.sound) {
            return;
        }
        if (place.offset % m_alignment != 0) {
            note(Severity::Warning,
                 fail(ErrorCode::GgufBadTensor, "A tensor is not aligned as the file declares")
                     .inTensor(tensor.name)
                     .inField("offset")
                     .butFound(verbatim(std::to_string(place.offset)))
                     .expecting(sentence("a multiple of %1", m_alignment)));
        }
        if (!ByteRange{place.offset, place.bytes}.fitsInto(m_dataBytes)) {
            place.sound = false;
            note(Severity::Error,
                 fail(ErrorCode::Truncated, "The file ends before the end of this tensor")
                     .inTensor(tensor.name)
                     .at(m_dataStart)
                     .butFound(sentence("%1 bytes of data", m_dataBytes))
                     .expecting(sentence("offset %1 and %2 bytes", place.offset, place.bytes)));
            return;
        }
        Piece& piece = tensor.pieces.emplace_back();
        piece.box = Box::whole(tensor.shape);
        piece.file = m_file;
        piece.bytes = {m_dataStart + place.offset, place.bytes};
        piece.flags.swapBytes = m_header.bigEndian && dtypeInfo(tensor.dtype).componentBits > 8;
    }

    /// Whether the blocks of a big-endian file have big-endian scales is not written anywhere: the
    /// first quantised tensor that shows it speaks for all.
    Result<void> orderBlocks() {
        constexpr std::uint64_t kSampleBlocks = 256;
        std::optional<bool> swap;
        for (TensorEntry& tensor : m_table.tensors) {
            const DtypeInfo& info = dtypeInfo(tensor.dtype);
            if (!info.isBlock() || tensor.pieces.empty()) {
                continue;
            }
            Piece& piece = tensor.pieces.front();
            if (!swap) {
                ByteRange range = piece.bytes;
                range.length = std::min(range.length, kSampleBlocks * info.blockBytes);
                CAIRN_TRY(const auto sample, readRange(m_cursor.source(), range));
                swap = scalesAreBigEndian(tensor.dtype, sample);
            }
            piece.flags.swapBytes = *swap;
        }
        return {};
    }

    /// A type that is not known has no size: the bytes up to the next tensor are shown.
    void showOpaque(TensorEntry& tensor, Place& place, std::uint64_t next) {
        note(Severity::Warning,
             fail(ErrorCode::GgufUnknownType, "Unknown tensor type; its raw bytes are shown")
                 .inTensor(tensor.name)
                 .inField("type")
                 .butFound(sentence("type %1 of shape %2", place.type, formatDims(tensor.shape))));
        const std::uint64_t end = std::min(next, m_dataBytes);
        place.bytes = end - std::min(place.offset, end);
        place.sound = true;
        tensor.shape = Shape{static_cast<std::int64_t>(place.bytes)};
    }

    /// Two tensors at the same place are one under two names; anything else that overlaps is
    /// damage.
    void tieOrNoteOverlaps(const std::vector<std::uint32_t>& order) {
        std::optional<std::uint32_t> before; // that reaches furthest
        for (const std::uint32_t index : order) {
            const Place& here = m_places[index];
            if (!here.sound || here.bytes == 0) {
                continue;
            }
            if (before && m_places[*before].offset + m_places[*before].bytes > here.offset) {
                overlap(*before, index);
            }
            if (!before ||
                here.offset + here.bytes > m_places[*before].offset + m_places[*before].bytes) {
                before = index;
            }
        }
    }

    void overlap(std::uint32_t first, std::uint32_t second) {
        TensorEntry& kept = m_table.tensors[first];
        TensorEntry& other = m_table.tensors[second];
        const bool same = m_places[first].offset == m_places[second].offset &&
                          kept.dtype == other.dtype && kept.shape == other.shape;
        if (same) {
            other.aliasOf = kept.aliasOf ? kept.aliasOf : TensorIndex(first);
            return;
        }
        note(Severity::Error, fail(ErrorCode::CoverageOverlap, "Two tensors overlap")
                                  .inTensor(other.name)
                                  .at(m_dataStart + m_places[second].offset)
                                  .butFound(sentence("the bytes of %1", kept.name)));
    }

    HeaderCursor& m_cursor;
    const Header& m_header;
    FileIndex m_file;
    TensorTable m_table;
    std::vector<Place> m_places; ///< of each tensor
    std::uint64_t m_dataStart = 0;
    std::uint64_t m_dataBytes = 0;
    std::uint64_t m_alignment = 1;
};

} // namespace

Result<TensorTable> readTensorTable(HeaderCursor& cursor, const Header& header, FileIndex file,
                                    const CancelToken& cancel) {
    return TableReader(cursor, header, file).read(cancel);
}

} // namespace cairn::formats::gguf
