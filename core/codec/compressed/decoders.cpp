// SPDX-License-Identifier: Apache-2.0
#include "core/codec/compressed/decoders.h"

#include "core/base/endian.h"
#include "core/codec/zstd/zstd_decoder.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bzlib.h>
#include <cstdlib>
#include <lzma.h>

namespace cairn {
namespace {

using Progress = StreamDecoder::Progress;

constexpr std::uint64_t kMaxWindow = std::uint64_t{1} << kZstdMaxWindowLog;
constexpr std::uint64_t kLzmaMemory = kMaxWindow + (std::uint64_t{1} << 20U);
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U; // zlib and bzip2 count in 32 bits

class InflateDecoder final : public StreamDecoder {
public:
    ~InflateDecoder() override { end(); }

    bool start() override {
        end();
        m_stream = {};
        m_live = inflateInit2(&m_stream, MAX_WBITS + 32) == Z_OK; // detects zlib or gzip
        return m_live;
    }
    Progress decode(std::span<const std::byte>& in, std::span<std::byte>& out) override {
        const std::size_t given = std::min(in.size(), kMostAtOnce);
        const std::size_t room = std::min(out.size(), kMostAtOnce);
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
        m_stream.avail_in = static_cast<uInt>(given);
        m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
        m_stream.avail_out = static_cast<uInt>(room);
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        in = in.subspan(given - m_stream.avail_in);
        out = out.subspan(room - m_stream.avail_out);
        if (status == Z_STREAM_END) {
            return Progress::Ended;
        }
        return status == Z_OK || status == Z_BUF_ERROR ? Progress::More : Progress::Damaged;
    }

private:
    void end() {
        if (m_live) {
            inflateEnd(&m_stream);
        }
        m_live = false;
    }

    z_stream m_stream{};
    bool m_live = false;
};

class BzipDecoder final : public StreamDecoder {
public:
    ~BzipDecoder() override { end(); }

    bool start() override {
        end();
        m_stream = {};
        m_live = BZ2_bzDecompressInit(&m_stream, 0, 0) == BZ_OK;
        return m_live;
    }
    Progress decode(std::span<const std::byte>& in, std::span<std::byte>& out) override {
        const std::size_t given = std::min(in.size(), kMostAtOnce);
        const std::size_t room = std::min(out.size(), kMostAtOnce);
        m_stream.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data()));
        m_stream.avail_in = static_cast<unsigned>(given);
        m_stream.next_out = reinterpret_cast<char*>(out.data());
        m_stream.avail_out = static_cast<unsigned>(room);
        const int status = BZ2_bzDecompress(&m_stream);
        in = in.subspan(given - m_stream.avail_in);
        out = out.subspan(room - m_stream.avail_out);
        if (status == BZ_STREAM_END) {
            return Progress::Ended;
        }
        return status == BZ_OK ? Progress::More : Progress::Damaged;
    }

private:
    void end() {
        if (m_live) {
            BZ2_bzDecompressEnd(&m_stream);
        }
        m_live = false;
    }

    bz_stream m_stream{};
    bool m_live = false;
};

class LzmaDecoder final : public StreamDecoder {
public:
    explicit LzmaDecoder(Compression kind) : m_kind(kind) {}
    ~LzmaDecoder() override { lzma_end(&m_stream); }

    bool start() override {
        m_header = 0;
        if (m_kind == Compression::ZipLzma) {
            return true; // before the header is complete
        }
        const lzma_ret status = m_kind == Compression::Xz
                                    ? lzma_stream_decoder(&m_stream, kLzmaMemory, 0)
                                    : lzma_alone_decoder(&m_stream, kLzmaMemory);
        return status == LZMA_OK;
    }
    Progress decode(std::span<const std::byte>& in, std::span<std::byte>& out) override {
        if (m_kind == Compression::ZipLzma && m_header < m_properties.size()) {
            if (const Progress begun = takeHeader(in);
                begun != Progress::More || m_header < m_properties.size()) {
                return begun;
            }
        }
        const std::size_t given = in.size();
        const std::size_t room = out.size();
        m_stream.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
        m_stream.avail_in = given;
        m_stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        m_stream.avail_out = room;
        const lzma_ret status = lzma_code(&m_stream, LZMA_RUN);
        in = in.subspan(given - m_stream.avail_in);
        out = out.subspan(room - m_stream.avail_out);
        switch (status) {
        case LZMA_OK:
        case LZMA_BUF_ERROR:
            return Progress::More;
        case LZMA_STREAM_END:
            return Progress::Ended;
        case LZMA_MEMLIMIT_ERROR:
        case LZMA_MEM_ERROR:
            return Progress::TooLarge;
        default:
            return Progress::Damaged;
        }
    }

private:
    /// APPNOTE 5.8.8: version, length of the properties, properties of a raw LZMA stream.
    Progress takeHeader(std::span<const std::byte>& in) {
        const std::size_t taken = std::min(in.size(), m_properties.size() - m_header);
        std::copy_n(in.begin(), taken,
                    m_properties.begin() + static_cast<std::ptrdiff_t>(m_header));
        in = in.subspan(taken);
        m_header += taken;
        if (m_header < m_properties.size()) {
            return Progress::More;
        }
        if (loadLittle<std::uint16_t>(m_properties, 2) != 5) {
            return Progress::Damaged;
        }
        if (loadLittle<std::uint32_t>(m_properties, 5) > kMaxWindow) {
            return Progress::TooLarge;
        }
        std::array<lzma_filter, 2> filters{};
        filters[0].id = LZMA_FILTER_LZMA1;
        filters[1].id = LZMA_VLI_UNKNOWN;
        const auto* properties = reinterpret_cast<const std::uint8_t*>(m_properties.data()) + 4;
        if (lzma_properties_decode(filters.data(), nullptr, properties, 5) != LZMA_OK) {
            return Progress::Damaged;
        }
        const lzma_ret status = lzma_raw_decoder(&m_stream, filters.data());
        std::free(filters[0].options);
        return status == LZMA_OK ? Progress::More : Progress::TooLarge;
    }

    Compression m_kind;
    lzma_stream m_stream = LZMA_STREAM_INIT;
    std::array<std::byte, 9> m_properties{};
    std::size_t m_header = 0;
};

class FrameDecoder final : public StreamDecoder {
public:
    bool start() override { return m_decoder.start(); }
    Progress decode(std::span<const std::byte>& in, std::span<std::byte>& out) override {
        const ZstdDecoder::Step step = m_decoder.decode(in, out);
        if (step.error != nullptr) {
            return step.tooLarge ? Progress::TooLarge : Progress::Damaged;
        }
        return step.frameEnded ? Progress::Ended : Progress::More;
    }

private:
    ZstdDecoder m_decoder;
};

} // namespace

std::unique_ptr<StreamDecoder> makeDecoder(Compression kind) {
    switch (kind) {
    case Compression::Gzip:
    case Compression::Zlib:
        return std::make_unique<InflateDecoder>();
    case Compression::Bzip2:
        return std::make_unique<BzipDecoder>();
    case Compression::Zstd:
        return std::make_unique<FrameDecoder>();
    case Compression::Xz:
    case Compression::Lzma:
    case Compression::ZipLzma:
        break;
    }
    return std::make_unique<LzmaDecoder>(kind);
}

} // namespace cairn
