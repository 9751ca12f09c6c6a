// SPDX-License-Identifier: Apache-2.0
#include "core/codec/buffers/buffers.h"

#include "core/codec/zstd/zstd_decoder.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <blosc.h>
#include <limits>
#include <memory>

namespace cairn {
namespace {

constexpr std::uint64_t kFirst = std::uint64_t{64}
                                 << 10U; ///< initial capacity when the size is unknown

Error beyond(std::uint64_t limit) {
    return fail(ErrorCode::LimitExceeded, "The decompressed data exceeds the expected size")
        .expecting(sentence("at most %1 bytes", limit));
}

Error damaged(std::string_view what, Sentence found, std::uint64_t at) {
    return fail(ErrorCode::BadEncoding, sentence("The %1 data is damaged or unsupported", what))
        .at(at)
        .butFound(std::move(found));
}

Error cutOff(std::string_view what, std::uint64_t at) {
    return fail(ErrorCode::Truncated, sentence("The %1 data is truncated", what)).at(at);
}

/// A buffer that grows by halves. It may hold one byte more than the limit, which shows that the
/// limit is exceeded.
class Output {
public:
    Output(std::uint64_t start, std::uint64_t limit) : m_limit(limit) {
        m_bytes.resize(
            static_cast<std::size_t>(std::min(std::max<std::uint64_t>(start, 1), top())));
    }
    [[nodiscard]] std::span<std::byte> room() { return std::span(m_bytes).subspan(m_used); }
    void add(std::size_t count) { m_used += count; }
    /// False: it is full.
    [[nodiscard]] bool grow() {
        if (m_bytes.size() >= top()) {
            return false;
        }
        const std::uint64_t wanted = m_bytes.size() + m_bytes.size() / 2 + kFirst;
        m_bytes.resize(static_cast<std::size_t>(std::min(wanted, top())));
        return true;
    }
    [[nodiscard]] bool tooMuch() const { return m_used > m_limit; }
    std::vector<std::byte> take() {
        m_bytes.resize(m_used);
        return std::move(m_bytes);
    }

private:
    [[nodiscard]] std::uint64_t top() const {
        return m_limit == std::numeric_limits<std::uint64_t>::max() ? m_limit : m_limit + 1;
    }
    std::vector<std::byte> m_bytes;
    std::size_t m_used = 0;
    std::uint64_t m_limit;
};

/// The content size in the first frame's header, if it is plausible for so few bytes.
std::uint64_t zstdStart(std::span<const std::byte> bytes, std::uint64_t limit) {
    constexpr std::uint64_t kPlausibleRatio = 64;
    const auto declared = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    const bool known = declared != ZSTD_CONTENTSIZE_UNKNOWN && declared != ZSTD_CONTENTSIZE_ERROR;
    const std::uint64_t start = known ? declared : kFirst;
    const std::uint64_t plausible = std::max<std::uint64_t>(kFirst, bytes.size() * kPlausibleRatio);
    return std::min({start, limit, plausible}) + (known ? 1 : 0);
}

Result<std::vector<std::byte>> decodeZstd(std::span<const std::byte> bytes, std::uint64_t limit) {
    const auto declared = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (declared == ZSTD_CONTENTSIZE_ERROR) {
        return damaged("zstd", "no frame", 0);
    }
    if (declared != ZSTD_CONTENTSIZE_UNKNOWN && declared > limit) {
        return beyond(limit);
    }
    ZstdDecoder decoder;
    if (!decoder.start()) {
        return fail(ErrorCode::OutOfMemory, "Cannot initialize decompression");
    }
    Output output(zstdStart(bytes, limit), limit);
    std::span<const std::byte> input = bytes;
    while (true) {
        auto room = output.room();
        const std::size_t before = room.size();
        const ZstdDecoder::Step step = decoder.decode(input, room);
        output.add(before - room.size());
        if (step.error != nullptr) {
            return damaged("zstd", verbatim(step.error), bytes.size() - input.size());
        }
        if (output.tooMuch()) {
            return beyond(limit);
        }
        if (step.frameEnded && input.empty()) {
            return output.take();
        }
        const bool full = room.empty();
        if (full && !output.grow()) {
            return beyond(limit);
        }
        if (!full && input.empty()) {
            return cutOff("zstd", bytes.size());
        }
    }
}

class Inflater {
public:
    Inflater() { m_ready = ::inflateInit2(&m_stream, 32 + MAX_WBITS) == Z_OK; }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() {
        if (m_ready) {
            ::inflateEnd(&m_stream);
        }
    }
    [[nodiscard]] bool ready() const { return m_ready; }
    z_stream& stream() { return m_stream; }

private:
    z_stream m_stream{};
    bool m_ready = false;
};

Result<std::vector<std::byte>> decodeGzip(std::span<const std::byte> bytes, std::uint64_t limit) {
    Inflater inflater;
    if (!inflater.ready() || bytes.size() > std::numeric_limits<uInt>::max()) {
        return fail(ErrorCode::OutOfMemory, "Cannot initialize decompression");
    }
    z_stream& stream = inflater.stream();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    Output output(std::min<std::uint64_t>(limit, std::max<std::uint64_t>(kFirst, bytes.size() * 4)),
                  limit);
    while (true) {
        auto room = output.room();
        room = room.first(std::min<std::size_t>(room.size(), std::size_t{1} << 30U));
        stream.next_out = reinterpret_cast<Bytef*>(room.data());
        stream.avail_out = static_cast<uInt>(room.size());
        const int status = ::inflate(&stream, Z_NO_FLUSH);
        output.add(room.size() - stream.avail_out);
        const std::uint64_t at = bytes.size() - stream.avail_in;
        if (output.tooMuch()) {
            return beyond(limit);
        }
        if (status == Z_STREAM_END) {
            if (stream.avail_in == 0) {
                return output.take();
            }
            if (::inflateReset(&stream) != Z_OK) { // a gzip file may have several members
                return damaged("gzip", "trailing bytes", at);
            }
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            return damaged("gzip", stream.msg != nullptr ? verbatim(stream.msg) : "inflate failed",
                           at);
        }
        if (stream.avail_out == 0 && output.room().empty()) {
            if (!output.grow()) {
                return beyond(limit);
            }
        } else if (stream.avail_out != 0 && stream.avail_in == 0) {
            return cutOff("gzip", bytes.size());
        }
    }
}

Result<std::vector<std::byte>> decodeBlosc(std::span<const std::byte> bytes, std::uint64_t limit) {
    constexpr std::uint64_t kMaxRatio = 255 * 64; // LZ4 blocks encode at most 255 bytes per byte
    std::size_t size = 0;
    if (bytes.size() < BLOSC_MIN_HEADER_LENGTH ||
        ::blosc_cbuffer_validate(bytes.data(), bytes.size(), &size) < 0) {
        return damaged("Blosc", sentence("%1 bytes without a valid header", bytes.size()), 0);
    }
    if (size > limit || size > bytes.size() * kMaxRatio) {
        return beyond(limit);
    }
    std::vector<std::byte> out(size);
    const int made = ::blosc_decompress_ctx(bytes.data(), out.data(), out.size(), 1);
    if (made < 0 || static_cast<std::size_t>(made) != size) {
        return damaged("Blosc", "decompression failed", 0);
    }
    return out;
}

} // namespace

std::string_view compressionName(Compression compression) {
    switch (compression) {
    case Compression::None:
        return "raw";
    case Compression::Zstd:
        return "zstd";
    case Compression::Gzip:
        return "gzip";
    case Compression::Blosc:
        return "blosc";
    }
    return "raw";
}

Result<std::vector<std::byte>> decodeBuffer(Compression compression,
                                            std::span<const std::byte> bytes, std::uint64_t limit) {
    switch (compression) {
    case Compression::None:
        if (bytes.size() > limit) {
            return beyond(limit);
        }
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    case Compression::Zstd:
        return decodeZstd(bytes, limit);
    case Compression::Gzip:
        return decodeGzip(bytes, limit);
    case Compression::Blosc:
        return decodeBlosc(bytes, limit);
    }
    return fail(ErrorCode::Internal, "Unknown compression");
}

} // namespace cairn
