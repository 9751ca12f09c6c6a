// SPDX-License-Identifier: Apache-2.0
#include "core/codec/compressed/compressed_source.h"

#include "core/base/endian.h"
#include "core/codec/compressed/decoders.h"
#include "core/io/sequential_source.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kInputBytes = std::size_t{64} << 10U;
constexpr std::size_t kOutputBytes = std::size_t{128} << 10U;

/// The checks that liblzma itself makes on a file without magic bytes: a window of 2^n or 2^n +
/// 2^(n-1), and a size that is unknown or below 256 GiB.
bool mayBeLzma(std::span<const std::byte> head) {
    if (head.size() < 13 || std::to_integer<unsigned>(head[0]) >= 225) {
        return false;
    }
    const auto window = loadLittle<std::uint32_t>(head, 1);
    const auto size = loadLittle<std::uint64_t>(head, 5);
    const int low = std::countr_zero(window);
    const bool plausible = window == std::numeric_limits<std::uint32_t>::max() ||
                           std::has_single_bit(window) ||
                           (std::popcount(window) == 2 && (window >> (low + 1) & 1U) != 0);
    return plausible &&
           (size == std::numeric_limits<std::uint64_t>::max() || size < std::uint64_t{256} << 30U);
}

/// Decodes forwards, one stream after the other.
class Cursor {
public:
    Cursor(ByteSourcePtr compressed, Compression kind)
        : m_compressed(std::move(compressed)), m_kind(kind), m_decoder(makeDecoder(kind)),
          m_buffer(kInputBytes) {}

    Result<void> restart() {
        m_taken = 0;
        m_input = {};
        m_streams = 0;
        return startStream();
    }

    /// Fills `out`. Gives fewer bytes only at the end of the data, or where it is damaged.
    Result<std::size_t> read(std::span<std::byte> out) {
        const std::size_t wanted = out.size();
        while (!out.empty() && !m_finished && !m_problem) {
            if (m_input.empty() && m_taken < m_compressed->size()) {
                CAIRN_CHECK(refill());
            }
            const bool starved = m_input.empty();
            if (m_between && !beginNext(starved)) {
                continue; // needs more input, or is at the end
            }
            const std::size_t room = out.size();
            const std::size_t before = room + m_input.size();
            const auto progress = m_decoder->decode(m_input, out);
            m_made = m_made || out.size() < room;
            if (progress == StreamDecoder::Progress::Ended) {
                m_between = true;
                ++m_streams;
            } else if (progress != StreamDecoder::Progress::More) {
                breakOff(progress);
            } else if (starved && out.size() + m_input.size() == before) {
                m_problem = problem(ErrorCode::Truncated, "The compressed data is truncated");
            }
        }
        return wanted - out.size();
    }

    const std::optional<Error>& incomplete() const { return m_problem; }
    std::uint64_t consumed() const { return m_taken - m_input.size(); }

private:
    Error problem(ErrorCode code, Sentence message) const {
        return fail(code, std::move(message)).inFile(m_compressed->name()).at(consumed());
    }

    Result<void> startStream() {
        m_between = false;
        m_made = false;
        m_finished = false;
        m_problem.reset();
        if (!m_decoder->start()) {
            return fail(ErrorCode::OutOfMemory, "Cannot initialize decompression")
                .inFile(m_compressed->name());
        }
        return {};
    }

    /// After a stream's end: starts the next stream. False: needs input, or the rest is not a
    /// stream.
    bool beginNext(bool starved) {
        if (m_kind == Compression::Gzip) {
            const auto next =
                std::ranges::find_if(m_input, [](std::byte b) { return b != std::byte{0}; });
            m_input = m_input.subspan(static_cast<std::size_t>(next - m_input.begin()));
        }
        if (m_input.empty()) {
            m_finished = starved;
            return false;
        }
        m_another = m_kind == Compression::Gzip && m_input[0] == std::byte{0x1f};
        if (m_kind == Compression::ZipLzma || !m_decoder->start()) {
            m_finished = true;
            return false;
        }
        m_between = false;
        m_made = false;
        return true;
    }

    void breakOff(StreamDecoder::Progress progress) {
        if (m_streams > 0 && !m_made && !m_another) {
            m_finished = true; // bytes after the last stream are ignored
        } else if (progress == StreamDecoder::Progress::TooLarge) {
            m_problem = problem(ErrorCode::LimitExceeded, "Decompression exceeds the memory limit");
        } else {
            m_problem = problem(ErrorCode::BadEncoding, "The compressed data is damaged");
        }
    }

    Result<void> refill() {
        const auto count = static_cast<std::size_t>(
            std::min<std::uint64_t>(m_buffer.size(), m_compressed->size() - m_taken));
        CAIRN_CHECK(m_compressed->readAt(m_taken, std::span(m_buffer).first(count)));
        m_taken += count;
        m_input = std::span(m_buffer).first(count);
        return {};
    }

    ByteSourcePtr m_compressed;
    Compression m_kind;
    std::unique_ptr<StreamDecoder> m_decoder;
    std::vector<std::byte> m_buffer;
    std::span<const std::byte> m_input;
    std::uint64_t m_taken = 0;
    std::size_t m_streams = 0; ///< completed streams
    bool m_between = false;    ///< a stream ended, the next one has not begun
    bool m_made = false;       ///< this stream has produced output
    bool m_another = false;    ///< it begins with a magic number, so that it is not other data
    bool m_finished = false;
    std::optional<Error> m_problem;
};

class CompressedSource final : public SequentialSource {
public:
    CompressedSource(ByteSourcePtr compressed, Compression kind, std::uint64_t size)
        : SequentialSource(compressed, size, compressed->name()), m_cursor(compressed, kind) {}

private:
    Result<void> restart() const override { return m_cursor.restart(); }
    Result<void> advance(std::span<std::byte> out) const override {
        CAIRN_TRY(const std::size_t made, m_cursor.read(out));
        if (made != out.size()) {
            return fail(ErrorCode::ChangedOnDisk,
                        "The compressed data changed while it was being read")
                .inFile(name());
        }
        return {};
    }
    Result<void> finish() const override {
        return {};
    } // openCompressed() has already checked the end

    mutable Cursor m_cursor; ///< guarded by the lock of SequentialSource
};

} // namespace

std::optional<Compression> compressionOf(std::span<const std::byte> head) {
    const std::string_view text = asText(head);
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(head[i]); };
    if (text.starts_with("\x1f\x8b")) {
        return Compression::Gzip;
    }
    if (text.starts_with("BZh") && text.size() >= 10 && text[3] >= '1' && text[3] <= '9' &&
        (text.substr(4, 6) == "1AY&SY" || text.substr(4, 6) == "\x17\x72\x45\x38\x50\x90")) {
        return Compression::Bzip2;
    }
    if (text.starts_with(std::string_view("\xfd"
                                          "7zXZ\0",
                                          6))) {
        return Compression::Xz;
    }
    if (head.size() >= 4) {
        const auto magic = loadLittle<std::uint32_t>(head);
        if (magic == 0xFD2FB528 || (magic & 0xFFFFFFF0) == 0x184D2A50) {
            return Compression::Zstd;
        }
    }
    if (head.size() >= 2 && (at(0) & 0x8FU) == 0x08 && (at(0) * 256 + at(1)) % 31 == 0 &&
        (at(1) & 0x20U) == 0) {
        return Compression::Zlib;
    }
    return mayBeLzma(head) ? std::optional(Compression::Lzma) : std::nullopt;
}

Result<Decompressed> openCompressed(ByteSourcePtr compressed, Compression kind,
                                    const ExpansionLimits& limits, const CancelToken& cancel) {
    Cursor cursor(compressed, kind);
    CAIRN_CHECK(cursor.restart());
    Decompressed result;
    std::vector<std::byte> buffer(kOutputBytes);
    std::uint64_t size = 0;
    for (;;) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(const std::size_t made, cursor.read(buffer));
        size += made;
        if (made < buffer.size()) {
            result.incomplete = cursor.incomplete();
            break;
        }
        const bool bomb = size > limits.free && size / limits.ratio > cursor.consumed();
        if (size > limits.most || bomb) {
            result.incomplete =
                fail(ErrorCode::LimitExceeded, "The decompressed data exceeds the limit")
                    .inFile(compressed->name())
                    .butFound(sentence("more than %1 bytes from %2", size, cursor.consumed()));
            break;
        }
    }
    result.content = std::make_shared<CompressedSource>(std::move(compressed), kind, size);
    return result;
}

} // namespace cairn
