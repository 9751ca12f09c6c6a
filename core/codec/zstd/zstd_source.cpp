// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zstd/zstd_source.h"

#include "core/base/endian.h"
#include "core/codec/zstd/zstd_decoder.h"
#include "core/io/sequential_source.h"

#include <zstd.h>

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr std::uint32_t kFrameMagic = 0xFD2FB528;
constexpr std::uint32_t kSkippableMagic = 0x184D2A50; ///< the low four bits are arbitrary

/// Decodes forwards. Not thread-safe.
class Decoder {
public:
    explicit Decoder(ByteSourcePtr compressed)
        : m_compressed(std::move(compressed)), m_buffer(ZSTD_DStreamInSize()) {}

    Result<void> restart() {
        if (!m_decoder.start()) {
            return fail(ErrorCode::OutOfMemory, "Cannot initialize decompression")
                .inFile(m_compressed->name());
        }
        m_input = {};
        m_consumed = 0;
        m_atFrameEnd = true;
        return {};
    }

    /// Fills `out`; gives fewer bytes only at the end of the stream.
    Result<std::size_t> read(std::span<std::byte> out) {
        const std::size_t wanted = out.size();
        while (!out.empty()) {
            if (m_input.empty() && m_consumed < m_compressed->size()) {
                CAIRN_CHECK(refill());
            }
            const bool starved = m_input.empty();
            if (starved && m_atFrameEnd) {
                break;
            }
            const std::size_t before = out.size();
            const auto [error, tooLarge, frameEnded] = m_decoder.decode(m_input, out);
            if (error != nullptr) {
                return fail(ErrorCode::BadEncoding, "The zstd data is damaged or unsupported")
                    .inFile(m_compressed->name())
                    .at(m_consumed - m_input.size())
                    .butFound(verbatim(error));
            }
            m_atFrameEnd = frameEnded;
            if (starved && out.size() == before && !m_atFrameEnd) {
                return fail(ErrorCode::Truncated, "The zstd data is truncated")
                    .inFile(m_compressed->name())
                    .at(m_compressed->size());
            }
        }
        return wanted - out.size();
    }

private:
    Result<void> refill() {
        const auto count = static_cast<std::size_t>(
            std::min<std::uint64_t>(m_buffer.size(), m_compressed->size() - m_consumed));
        CAIRN_CHECK(m_compressed->readAt(m_consumed, std::span(m_buffer).first(count)));
        m_consumed += count;
        m_input = std::span(m_buffer).first(count);
        return {};
    }

    ByteSourcePtr m_compressed;
    ZstdDecoder m_decoder;
    std::vector<std::byte> m_buffer;
    std::span<const std::byte> m_input;
    std::uint64_t m_consumed = 0;
    bool m_atFrameEnd = true;
};

class ZstdSource final : public SequentialSource {
public:
    ZstdSource(ByteSourcePtr compressed, std::uint64_t size)
        : SequentialSource(compressed, size, compressed->name()), m_decoder(compressed) {}

private:
    Result<void> restart() const override { return m_decoder.restart(); }

    Result<void> advance(std::span<std::byte> out) const override {
        CAIRN_TRY(const std::size_t made, m_decoder.read(out));
        if (made != out.size()) {
            return fail(ErrorCode::BadEncoding, "The zstd data contains fewer bytes than declared")
                .inFile(name())
                .expecting(sentence("%1 bytes", size()));
        }
        return {};
    }

    Result<void> finish() const override {
        std::array<std::byte, 1> beyond;
        CAIRN_TRY(const std::size_t more, m_decoder.read(beyond));
        if (more != 0) {
            return fail(ErrorCode::BadEncoding, "The zstd data contains more bytes than declared")
                .inFile(name())
                .expecting(sentence("%1 bytes", size()));
        }
        return {};
    }

    mutable Decoder m_decoder; ///< guarded by the lock of SequentialSource
};

Result<std::uint64_t> sizeByDecoding(const ByteSourcePtr& compressed, std::uint64_t maxSize,
                                     const CancelToken& cancel) {
    Decoder decoder(compressed);
    CAIRN_CHECK(decoder.restart());
    std::vector<std::byte> buffer(ZSTD_DStreamOutSize());
    std::uint64_t size = 0;
    while (true) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(const std::size_t made, decoder.read(buffer));
        size += made;
        if (size > maxSize) {
            return fail(ErrorCode::LimitExceeded, "The decompressed zstd data exceeds the limit")
                .inFile(compressed->name())
                .expecting(sentence("at most %1 bytes", maxSize));
        }
        if (made < buffer.size()) {
            return size;
        }
    }
}

} // namespace

bool startsWithZstdFrame(const ByteSource& source) {
    std::array<std::byte, 4> magic{};
    if (source.size() < magic.size() || !source.readAt(0, magic)) {
        return false;
    }
    const auto value = loadLittle<std::uint32_t>(magic);
    return value == kFrameMagic || (value & 0xFFFFFFF0U) == kSkippableMagic;
}

Result<ByteSourcePtr> openZstd(ByteSourcePtr compressed, std::optional<std::uint64_t> declaredSize,
                               std::uint64_t maxSize, const CancelToken& cancel) {
    if (!startsWithZstdFrame(*compressed)) {
        return fail(ErrorCode::BadEncoding, "Not zstd data")
            .inFile(compressed->name())
            .at(0)
            .expecting("the bytes 28 b5 2f fd");
    }
    if (!declaredSize) {
        CAIRN_TRY(declaredSize, sizeByDecoding(compressed, maxSize, cancel));
    } else if (*declaredSize > maxSize) {
        return fail(ErrorCode::LimitExceeded, "The zstd data exceeds the size limit")
            .inFile(compressed->name())
            .butFound(sentence("%1 bytes", *declaredSize))
            .expecting(sentence("at most %1", maxSize));
    }
    return ByteSourcePtr(std::make_shared<ZstdSource>(std::move(compressed), *declaredSize));
}

} // namespace cairn
