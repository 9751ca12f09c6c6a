// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zip/inflate_source.h"

#include "core/codec/zip/zip_content.h"
#include "core/io/hash.h"
#include "core/io/sequential_source.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10U;

/// Inflates a raw deflate stream (RFC 1951) while it is read. The stream must end at the declared
/// size, and its CRC-32 must match.
class InflateSource final : public SequentialSource {
public:
    InflateSource(ByteSourcePtr compressed, const ZipEntry& entry)
        : SequentialSource(compressed, entry.size,
                           compressed->name() + "#" + std::string(entry.name)),
          m_entryName(entry.name), m_crc(entry.crc32) {}
    InflateSource(const InflateSource&) = delete;
    InflateSource& operator=(const InflateSource&) = delete;
    ~InflateSource() override { end(); }

private:
    void end() const {
        if (m_started) {
            ::inflateEnd(&m_stream);
            m_started = false;
        }
    }

    Result<void> restart() const override {
        end();
        m_stream = z_stream{};
        if (::inflateInit2(&m_stream, -MAX_WBITS) != Z_OK) {
            return fail(ErrorCode::OutOfMemory, "Cannot initialize decompression").inFile(name());
        }
        m_started = true;
        m_input.resize(kChunk);
        m_consumed = 0;
        m_running = 0;
        m_ended = false;
        return {};
    }

    Result<void> advance(std::span<std::byte> out) const override {
        while (!out.empty()) {
            const std::size_t part = std::min<std::size_t>(out.size(), std::size_t{1} << 30U);
            CAIRN_TRY(const std::size_t made, inflateInto(out.first(part)));
            if (made == 0) {
                return broken("The compressed data ends too early");
            }
            m_running = crc32(m_running, out.first(made));
            out = out.subspan(made);
        }
        return {};
    }

    /// Decodes as many bytes as one step gives; 0 only at the end of the stream.
    Result<std::size_t> inflateInto(std::span<std::byte> out) const {
        m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
        m_stream.avail_out = static_cast<uInt>(out.size());
        while (m_stream.avail_out == out.size() && !m_ended) {
            if (m_stream.avail_in == 0) {
                CAIRN_CHECK(refill());
            }
            const bool starved = m_stream.avail_in == 0;
            const int status = ::inflate(&m_stream, Z_NO_FLUSH);
            if (status == Z_STREAM_END) {
                m_ended = true;
            } else if (status != Z_OK && status != Z_BUF_ERROR) {
                return broken(m_stream.msg != nullptr ? verbatim(m_stream.msg) : "inflate failed");
            } else if (starved && m_stream.avail_out == out.size()) {
                return broken("The compressed data is truncated");
            }
        }
        return out.size() - m_stream.avail_out;
    }

    Result<void> refill() const {
        const auto count = static_cast<std::size_t>(
            std::min<std::uint64_t>(m_input.size(), compressed().size() - m_consumed));
        CAIRN_CHECK(compressed().readAt(m_consumed, std::span(m_input).first(count)));
        m_consumed += count;
        m_stream.next_in = reinterpret_cast<Bytef*>(m_input.data());
        m_stream.avail_in = static_cast<uInt>(count);
        return {};
    }

    /// Checks that the stream ends here and that the CRC-32 matches.
    Result<void> finish() const override {
        std::array<std::byte, 1> beyond;
        CAIRN_TRY(const std::size_t more, inflateInto(beyond));
        if (more != 0) {
            return fail(ErrorCode::ZipBomb, "The entry contains more data than it declares")
                .inFile(compressed().name())
                .inField(m_entryName)
                .expecting(sentence("%1 bytes", size()));
        }
        if (m_crc != 0 && m_running != m_crc) {
            return fail(ErrorCode::BadChecksum, "CRC-32 mismatch in the entry")
                .inFile(compressed().name())
                .inField(m_entryName)
                .withHint("The file was damaged after it was written; copy it again");
        }
        return {};
    }

    Error broken(Sentence found) const {
        return fail(ErrorCode::ZipBadData, "The entry's compressed data is damaged")
            .inFile(compressed().name())
            .inField(m_entryName)
            .butFound(std::move(found));
    }

    std::string m_entryName;
    std::uint32_t m_crc;

    // The decoder; guarded by the lock of SequentialSource.
    mutable z_stream m_stream{};
    mutable std::vector<std::byte> m_input;
    mutable std::uint64_t m_consumed = 0; ///< compressed bytes passed to zlib
    mutable std::uint32_t m_running = 0;  ///< CRC-32 of the decoded bytes
    mutable bool m_started = false;
    mutable bool m_ended = false;
};

} // namespace

ByteSourcePtr makeInflateSource(ByteSourcePtr compressed, const ZipEntry& entry) {
    return std::make_shared<InflateSource>(std::move(compressed), entry);
}

} // namespace cairn
