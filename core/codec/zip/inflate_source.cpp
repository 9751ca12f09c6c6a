// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zip/inflate_source.h"

#include "core/codec/zip/zip_content.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace cairn {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10U;

/// Inflates a raw deflate stream (RFC 1951) while it is read. One cursor under a lock: reading
/// onwards continues, reading before the cursor starts again from the first byte. At the declared
/// end the stream must end too, and the CRC-32 of everything is compared.
class InflateSource final : public ByteSource {
public:
    InflateSource(ByteSourcePtr compressed, const ZipEntry& entry)
        : m_compressed(std::move(compressed)), m_entryName(entry.name), m_size(entry.size),
          m_crc(entry.crc32), m_name(m_compressed->name() + "#" + m_entryName) {}
    InflateSource(const InflateSource&) = delete;
    InflateSource& operator=(const InflateSource&) = delete;
    ~InflateSource() override {
        if (m_live) {
            ::inflateEnd(&m_stream);
        }
    }

    std::uint64_t size() const override { return m_size; }
    const std::string& name() const override { return m_name; }
    FileIdentity identity() const override { return m_compressed->identity(); }
    Result<void> checkUnchanged() const override { return m_compressed->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(m_size)) {
            return fail(ErrorCode::Truncated, "The archive entry ends before the wanted bytes")
                .inFile(m_name)
                .at(offset)
                .butFound(std::to_string(m_size) + " bytes in the entry");
        }
        if (out.empty()) {
            return {};
        }
        const std::lock_guard lock(m_mutex);
        if (!m_live || offset < m_position) {
            CAIRN_CHECK(restart());
        }
        std::array<std::byte, 4096> skipped;
        while (m_position < offset) {
            const auto count = std::min<std::uint64_t>(skipped.size(), offset - m_position);
            CAIRN_CHECK(advance(std::span(skipped).first(static_cast<std::size_t>(count))));
        }
        CAIRN_CHECK(advance(out));
        return m_position == m_size ? finish() : Result<void>();
    }

private:
    Result<void> restart() const {
        if (m_live) {
            ::inflateEnd(&m_stream);
            m_live = false;
        }
        m_stream = z_stream{};
        if (::inflateInit2(&m_stream, -MAX_WBITS) != Z_OK) {
            return fail(ErrorCode::OutOfMemory, "Cannot start decompressing").inFile(m_name);
        }
        m_live = true;
        m_input.resize(kChunk);
        m_consumed = 0;
        m_position = 0;
        m_running = ::crc32(0, nullptr, 0);
        m_ended = false;
        return {};
    }

    /// Produces exactly out.size() bytes.
    Result<void> advance(std::span<std::byte> out) const {
        while (!out.empty()) {
            const std::size_t part = std::min<std::size_t>(out.size(), std::size_t{1} << 30U);
            CAIRN_TRY(const std::size_t made, inflateInto(out.first(part)));
            if (made == 0) {
                return broken("The compressed data end too early");
            }
            m_running = ::crc32_z(m_running, reinterpret_cast<const Bytef*>(out.data()), made);
            m_position += made;
            out = out.subspan(made);
        }
        return {};
    }

    /// As many bytes as one step gives; 0 only at the end of the stream.
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
                return broken(m_stream.msg != nullptr ? m_stream.msg : "inflate failed");
            } else if (starved && m_stream.avail_out == out.size()) {
                return broken("The compressed data are cut off");
            }
        }
        return out.size() - m_stream.avail_out;
    }

    Result<void> refill() const {
        const auto count = static_cast<std::size_t>(
            std::min<std::uint64_t>(m_input.size(), m_compressed->size() - m_consumed));
        CAIRN_CHECK(m_compressed->readAt(m_consumed, std::span(m_input).first(count)));
        m_consumed += count;
        m_stream.next_in = reinterpret_cast<Bytef*>(m_input.data());
        m_stream.avail_in = static_cast<uInt>(count);
        return {};
    }

    /// At the declared end: nothing may follow, and the CRC-32 must be right.
    Result<void> finish() const {
        std::array<std::byte, 1> beyond;
        CAIRN_TRY(const std::size_t more, inflateInto(beyond));
        if (more != 0) {
            m_position += more;
            return fail(ErrorCode::ZipBomb, "The entry holds more data than it declares")
                .inFile(m_compressed->name())
                .inField(m_entryName)
                .expecting(std::to_string(m_size) + " bytes");
        }
        if (m_crc != 0 && m_running != m_crc) {
            return fail(ErrorCode::BadChecksum, "The entry's content does not match its CRC-32")
                .inFile(m_compressed->name())
                .inField(m_entryName)
                .withHint("The file was damaged after it was written; copy it again");
        }
        return {};
    }

    Error broken(std::string found) const {
        return fail(ErrorCode::ZipBadData, "The entry's compressed data are damaged")
            .inFile(m_compressed->name())
            .inField(m_entryName)
            .butFound(std::move(found));
    }

    ByteSourcePtr m_compressed;
    std::string m_entryName;
    std::uint64_t m_size;
    std::uint32_t m_crc;
    std::string m_name;

    // The cursor; guarded by m_mutex.
    mutable std::mutex m_mutex;
    mutable z_stream m_stream{};
    mutable std::vector<std::byte> m_input;
    mutable std::uint64_t m_consumed = 0; ///< compressed bytes handed to zlib
    mutable std::uint64_t m_position = 0; ///< decompressed bytes handed out
    mutable uLong m_running = 0;          ///< CRC-32 of them
    mutable bool m_live = false;
    mutable bool m_ended = false;
};

} // namespace

ByteSourcePtr makeInflateSource(ByteSourcePtr compressed, const ZipEntry& entry) {
    return std::make_shared<InflateSource>(std::move(compressed), entry);
}

} // namespace cairn
