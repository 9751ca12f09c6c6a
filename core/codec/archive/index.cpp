// SPDX-License-Identifier: Apache-2.0
#include "core/codec/archive/index.h"

#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/base/stored_sentence.h"
#include "core/codec/planes/planes.h"

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>
#include <utility>

namespace cairn::archive {
namespace {

constexpr std::uint8_t kHasStep = 1;
constexpr std::uint8_t kHasEpoch = 2;
constexpr std::uint8_t kHasWorldSize = 4;
constexpr std::uint8_t kHasEarlier = 8;
constexpr std::uint8_t kHasSource = 16;
constexpr std::size_t kLeastTensor =
    4 + 4 + 4 + 4 + 4; ///< smallest row: three lengths, four single bytes, a row number
constexpr std::size_t kChunkRow = 12;

ErrorCode codeFromName(std::string_view name) {
#define CAIRN_MATCH(value, text, exitClass)                                                        \
    if (name == (text)) {                                                                          \
        return ErrorCode::value;                                                                   \
    }
    CAIRN_ERROR_CODES(CAIRN_MATCH)
#undef CAIRN_MATCH
    return ErrorCode::Internal;
}

class Writer {
public:
    template <class T> void number(T value) {
        m_out.resize(m_out.size() + sizeof value);
        storeLittle(std::span(m_out), m_out.size() - sizeof value, value);
    }
    void text(std::string_view text) {
        number(static_cast<std::uint32_t>(text.size()));
        const auto bytes = asBytes(text);
        m_out.insert(m_out.end(), bytes.begin(), bytes.end());
    }
    std::vector<std::byte> take() { return std::move(m_out); }

private:
    std::vector<std::byte> m_out;
};

void encodeTensor(Writer& out, const TensorRow& row) {
    out.text(row.name);
    out.text(row.dtype);
    out.text(row.role);
    out.number(static_cast<std::uint8_t>(row.kind));
    out.number(static_cast<std::uint8_t>(row.form.bytes));
    out.number(static_cast<std::uint8_t>(row.form.rotate ? 1 : 0));
    out.number(static_cast<std::uint8_t>(row.shape.size()));
    for (const std::int64_t extent : row.shape) {
        out.number(extent);
    }
    if (row.kind == TensorKind::Alias) {
        out.number(row.aliasOf);
    } else {
        out.number(row.bytes);
    }
}

void encodeSource(Writer& out, const SourceState& source) {
    out.text(source.completeness);
    out.number(static_cast<std::uint32_t>(source.why.size()));
    for (const Sentence& reason : source.why) {
        out.text(storedTogether(reason));
    }
    const std::size_t notices = std::min(source.notices.size(), kMaxNotices);
    out.number(static_cast<std::uint32_t>(notices));
    for (const Notice& notice : std::span(source.notices).first(notices)) {
        const Error& error = notice.error;
        out.number(static_cast<std::uint8_t>(notice.severity));
        for (const std::string& text :
             {std::string(errorName(error.code)), storedTogether(error.message), error.where.file,
              error.where.tensor, error.where.field, storedTogether(error.found),
              storedTogether(error.expected), storedTogether(error.hint)}) {
            out.text(text);
        }
    }
}

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    Result<Index> run() {
        CAIRN_CHECK(head());
        CAIRN_TRY(const auto tensors, number<std::uint64_t>());
        CAIRN_TRY(const auto chunks, number<std::uint64_t>());
        if (tensors > kMaxTensors) {
            return fail(ErrorCode::LimitExceeded, "The index lists too many tensors")
                .at(m_at)
                .butFound(verbatim(std::to_string(tensors)))
                .expecting(sentence("at most %1", kMaxTensors));
        }
        if (tensors > left() / kLeastTensor || chunks > left() / kChunkRow) {
            return wrong("The index's counts exceed its size", "");
        }
        m_index.tensors.reserve(static_cast<std::size_t>(tensors));
        for (std::uint64_t i = 0; i < tensors; ++i) {
            CAIRN_CHECK(tensor(chunks));
        }
        if (m_chunks != chunks) {
            return wrong("The chunk count does not match the tensors",
                         verbatim(std::to_string(chunks)))
                .expecting(verbatim(std::to_string(m_chunks)));
        }
        CAIRN_CHECK(chunkRows());
        if (left() != 0) {
            return wrong("Trailing bytes after the index", verbatim(std::to_string(left())));
        }
        return std::move(m_index);
    }

private:
    [[nodiscard]] std::size_t left() const { return m_bytes.size() - m_at; }
    [[nodiscard]] Error wrong(Sentence message, Sentence found) const {
        return fail(ErrorCode::BadEncoding, std::move(message)).at(m_at).butFound(std::move(found));
    }
    template <class T> Result<T> number() {
        if (left() < sizeof(T)) {
            return fail(ErrorCode::Truncated, "The index is truncated").at(m_at);
        }
        const T value = loadLittle<T>(m_bytes, m_at);
        m_at += sizeof(T);
        return value;
    }
    Result<std::string> text() {
        CAIRN_TRY(const auto length, number<std::uint32_t>());
        if (length > left()) {
            return fail(ErrorCode::Truncated, "The index is truncated").at(m_at);
        }
        std::string text(asText(m_bytes.subspan(m_at, length)));
        m_at += length;
        return text;
    }

    Result<Sentence> sentenceText() {
        CAIRN_TRY(const std::string together, text());
        return restoredSentence(together);
    }

    Result<void> head() {
        CAIRN_TRY(m_index.format, text());
        CAIRN_TRY(m_index.framework, text());
        CAIRN_TRY(const auto flags, number<std::uint8_t>());
        CAIRN_TRY(const auto step, number<std::int64_t>());
        CAIRN_TRY(const auto epoch, number<std::uint64_t>());
        CAIRN_TRY(const auto worldSize, number<std::int64_t>());
        if ((flags & kHasStep) != 0) {
            m_index.step = step;
        }
        if ((flags & kHasEpoch) != 0) {
            m_index.epoch = std::bit_cast<double>(epoch);
        }
        if ((flags & kHasWorldSize) != 0) {
            m_index.worldSize = worldSize;
        }
        CAIRN_TRY(std::string earlier, text());
        if ((flags & kHasEarlier) != 0) {
            m_index.earlier = std::move(earlier);
        }
        CAIRN_TRY(m_index.chain, number<std::uint32_t>());
        CAIRN_TRY(m_index.chunkBytes, number<std::uint64_t>());
        if (m_index.chunkBytes == 0 || m_index.chunkBytes % 16 != 0 ||
            m_index.chunkBytes > planes::kMaxPacked) {
            return wrong("Invalid chunk size", verbatim(std::to_string(m_index.chunkBytes)));
        }
        return (flags & kHasSource) != 0 ? source(m_index.source.emplace()) : Result<void>();
    }

    Result<void> source(SourceState& source) {
        CAIRN_TRY(source.completeness, text());
        CAIRN_TRY(const auto reasons, number<std::uint32_t>());
        if (reasons > left() / sizeof(std::uint32_t)) {
            return wrong("The index's counts exceed its size", verbatim(std::to_string(reasons)));
        }
        for (std::uint32_t i = 0; i < reasons; ++i) {
            CAIRN_TRY(source.why.emplace_back(), sentenceText());
        }
        CAIRN_TRY(const auto notices, number<std::uint32_t>());
        if (notices > kMaxNotices) {
            return wrong("The index lists too many notices", verbatim(std::to_string(notices)));
        }
        for (std::uint32_t i = 0; i < notices; ++i) {
            CAIRN_CHECK(notice(source.notices.emplace_back()));
        }
        return {};
    }

    Result<void> notice(Notice& notice) {
        CAIRN_TRY(const auto severity, number<std::uint8_t>());
        notice.severity = severity == 0   ? Severity::Info
                          : severity == 1 ? Severity::Warning
                                          : Severity::Error;
        CAIRN_TRY(const std::string code, text());
        Error& error = notice.error;
        error.code = codeFromName(code);
        CAIRN_TRY(error.message, sentenceText());
        CAIRN_TRY(error.where.file, text());
        CAIRN_TRY(error.where.tensor, text());
        CAIRN_TRY(error.where.field, text());
        CAIRN_TRY(error.found, sentenceText());
        CAIRN_TRY(error.expected, sentenceText());
        CAIRN_TRY(error.hint, sentenceText());
        return {};
    }

    Result<void> tensor(std::uint64_t chunks) {
        TensorRow& row = m_index.tensors.emplace_back();
        CAIRN_TRY(row.name, text());
        CAIRN_TRY(row.dtype, text());
        CAIRN_TRY(row.role, text());
        CAIRN_TRY(const auto kind, number<std::uint8_t>());
        CAIRN_TRY(const auto width, number<std::uint8_t>());
        CAIRN_TRY(const auto rotate, number<std::uint8_t>());
        CAIRN_TRY(const auto rank, number<std::uint8_t>());
        const bool known = kind <= static_cast<std::uint8_t>(TensorKind::Delta) && rotate <= 1 &&
                           (width == 1 || width == 2 || width == 4 || width == 8);
        if (!known || rank > kMaxRank) {
            return wrong("Unknown packing of a tensor", verbatim(row.name));
        }
        row.kind = static_cast<TensorKind>(kind);
        row.form = {width, rotate == 1};
        for (std::size_t d = 0; d < rank; ++d) {
            CAIRN_TRY(const auto extent, number<std::int64_t>());
            if (extent < 0) {
                return wrong("A tensor has a negative dimension", verbatim(std::to_string(extent)));
            }
            row.shape.push_back(extent);
        }
        return row.kind == TensorKind::Alias ? alias(row) : place(row, chunks);
    }

    Result<void> alias(TensorRow& row) {
        CAIRN_TRY(row.aliasOf, number<std::uint32_t>());
        const std::size_t own = m_index.tensors.size() - 1;
        if (row.aliasOf >= own || m_index.tensors[row.aliasOf].kind == TensorKind::Alias) {
            return wrong("A tensor refers to the data of a missing tensor", verbatim(row.name));
        }
        return {};
    }

    Result<void> place(TensorRow& row, std::uint64_t chunks) {
        CAIRN_TRY(row.bytes, number<std::uint64_t>());
        if (row.bytes % row.form.bytes != 0) {
            return wrong("A tensor's byte count is not a multiple of its element size",
                         verbatim(std::to_string(row.bytes)));
        }
        if (row.kind == TensorKind::Delta && !m_index.earlier) {
            return wrong("A delta does not name its base checkpoint", verbatim(row.name));
        }
        row.firstChunk = m_chunks;
        const std::uint64_t own = chunksOf(row.bytes, m_index.chunkBytes);
        if (own > chunks - m_chunks) {
            return wrong("A tensor needs more chunks than the archive has", verbatim(row.name));
        }
        m_chunks += own;
        return {};
    }

    Result<void> chunkRows() {
        if (m_chunks != left() / kChunkRow) {
            return wrong("The chunk count does not match the tensors", "");
        }
        m_index.chunks.reserve(static_cast<std::size_t>(m_chunks));
        for (std::uint64_t i = 0; i < m_chunks; ++i) {
            const ChunkRow row{loadLittle<std::uint32_t>(m_bytes, m_at),
                               loadLittle<std::uint32_t>(m_bytes, m_at + 4),
                               loadLittle<std::uint32_t>(m_bytes, m_at + 8)};
            if (row.stored == 0) {
                return wrong("A chunk is empty", "");
            }
            m_at += kChunkRow;
            m_index.chunks.push_back(row);
        }
        return {};
    }

    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    std::uint64_t m_chunks = 0; ///< in the rows read so far
    Index m_index;
};

} // namespace

std::uint64_t chunksOf(std::uint64_t bytes, std::uint64_t chunkBytes) {
    return bytes / chunkBytes + (bytes % chunkBytes != 0 ? 1 : 0);
}

std::vector<std::byte> encodeIndex(const Index& index) {
    Writer out;
    out.text(index.format);
    out.text(index.framework);
    const int flags = (index.step ? kHasStep : 0) | (index.epoch ? kHasEpoch : 0) |
                      (index.worldSize ? kHasWorldSize : 0) | (index.earlier ? kHasEarlier : 0) |
                      (index.source ? kHasSource : 0);
    out.number(static_cast<std::uint8_t>(flags));
    out.number(index.step.value_or(0));
    out.number(std::bit_cast<std::uint64_t>(index.epoch.value_or(0)));
    out.number(index.worldSize.value_or(0));
    out.text(index.earlier.value_or(""));
    out.number(index.chain);
    out.number(index.chunkBytes);
    if (index.source) {
        encodeSource(out, *index.source);
    }
    out.number(std::uint64_t{index.tensors.size()});
    out.number(std::uint64_t{index.chunks.size()});
    for (const TensorRow& row : index.tensors) {
        encodeTensor(out, row);
    }
    for (const ChunkRow& row : index.chunks) {
        out.number(row.stored);
        out.number(row.crc);
        out.number(row.content);
    }
    return out.take();
}

Result<Index> decodeIndex(std::span<const std::byte> bytes) {
    return Reader(bytes).run();
}

} // namespace cairn::archive
