// SPDX-License-Identifier: Apache-2.0
#include "core/codec/planes/planes.h"

#include "core/base/endian.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

namespace cairn::planes {
namespace {

enum class Mode : std::uint8_t { Stored = 0, Zstd = 1, Constant = 2 };

constexpr std::size_t kPlaneHead = 5; ///< mode, u32 length
constexpr std::size_t kSamples = 8;
constexpr std::size_t kSampleBytes = 512;
constexpr double kNoise = 7.75; ///< bits per byte from which a plane is stored uncompressed
constexpr double kRuns = 1.5;   ///< below it long matches are likely: deltas, masks, small integers
constexpr double kText = 6;     ///< the same limit for single-byte elements, which may be anything
constexpr std::size_t kTiny = 64; ///< smaller planes never benefit from a frame

struct FreeEncoder {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecoder {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

bool isConstant(std::span<const std::byte> plane) {
    return std::memcmp(plane.data(), plane.data() + 1, plane.size() - 1) == 0;
}

/// Order-0 entropy of a few short samples, in bits per byte.
double sampledEntropy(std::span<const std::byte> plane) {
    std::array<std::uint32_t, 256> counts{};
    std::size_t taken = 0;
    const std::size_t runs = plane.size() > kSamples * kSampleBytes ? kSamples : 1;
    const std::size_t length =
        runs == 1 ? std::min(plane.size(), kSamples * kSampleBytes) : kSampleBytes;
    for (std::size_t run = 0; run < runs; ++run) {
        const std::size_t at = runs == 1 ? 0 : run * ((plane.size() - length) / (runs - 1));
        for (const std::byte byte : plane.subspan(at, length)) {
            ++counts[std::to_integer<std::size_t>(byte)];
        }
        taken += length;
    }
    double bits = 0;
    for (const std::uint32_t count : counts) {
        if (count != 0) {
            bits -= count * std::log2(static_cast<double>(count) / static_cast<double>(taken));
        }
    }
    return bits / static_cast<double>(taken);
}

} // namespace

struct Packer::State {
    struct Coder {
        std::unique_ptr<ZSTD_CCtx, FreeEncoder> context{ZSTD_createCCtx()};
        [[nodiscard]] bool set(ZSTD_cParameter name, int value) const {
            return context && !ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), name, value));
        }
        [[nodiscard]] bool prepare(int wanted) const {
            return set(ZSTD_c_compressionLevel, wanted) && set(ZSTD_c_contentSizeFlag, 0);
        }
    };
    Coder coder;    ///< for entropy coding; almost no match search
    Coder searcher; ///< at the requested zstd level
    std::vector<std::byte> planes;
    std::vector<std::byte> frame;
    int level = 1;
    bool ready = false;

    /// Exponents contain no useful matches, and chance matches cost more than they save. So the
    /// coder searches with strides that widen until a match is found (ZSTD_c_targetLength): noise
    /// costs nothing, and runs of zeros are still found. Such strides disable the compression of
    /// literals, which is enabled again explicitly; where libzstd does not support that, short
    /// strides with a small table are used, at 3/4 of the speed.
    [[nodiscard]] bool prepare() const {
        constexpr int kEnable = 1; // ZSTD_ps_enable
        constexpr auto kLiteralMode = ZSTD_c_experimentalParam5;
        const bool usable = searcher.prepare(level) && coder.prepare(1) &&
                            coder.set(ZSTD_c_strategy, ZSTD_fast) &&
                            coder.set(ZSTD_c_windowLog, 17) && coder.set(ZSTD_c_hashLog, 6) &&
                            coder.set(ZSTD_c_minMatch, 7) && coder.set(ZSTD_c_targetLength, 0);
        return usable &&
               (!coder.set(kLiteralMode, kEnable) || coder.set(ZSTD_c_targetLength, 1024));
    }

    /// Null: the plane is noise.
    [[nodiscard]] const Coder* coderFor(std::span<const std::byte> plane, bool alone) const {
        if (plane.size() < kTiny) {
            return nullptr;
        }
        if (level > 1) {
            return &searcher;
        }
        const double bits = sampledEntropy(plane);
        if (bits >= kNoise) {
            return nullptr;
        }
        return bits < (alone ? kText : kRuns) ? &searcher : &coder;
    }

    /// Appends the plane in the shorter form.
    Result<Mode> add(std::span<const std::byte> plane, bool alone, std::vector<std::byte>& out) {
        if (isConstant(plane)) {
            out.push_back(plane.front());
            return Mode::Constant;
        }
        if (const Coder* chosen = coderFor(plane, alone)) {
            frame.resize(std::max(frame.size(), ZSTD_compressBound(plane.size())));
            const std::size_t size = ZSTD_compress2(chosen->context.get(), frame.data(),
                                                    frame.size(), plane.data(), plane.size());
            if (ZSTD_isError(size)) {
                return fail(ErrorCode::OutOfMemory, "Cannot compress")
                    .butFound(verbatim(ZSTD_getErrorName(size)));
            }
            if (size < plane.size()) {
                out.insert(out.end(), frame.begin(),
                           frame.begin() + static_cast<std::ptrdiff_t>(size));
                return Mode::Zstd;
            }
        }
        out.insert(out.end(), plane.begin(), plane.end());
        return Mode::Stored;
    }
};

Packer::Packer(int level) : m_state(std::make_unique<State>()) {
    m_state->level = std::clamp(level, 1, 19);
    m_state->ready = m_state->prepare();
}
Packer::Packer(Packer&&) noexcept = default;
Packer& Packer::operator=(Packer&&) noexcept = default;
Packer::~Packer() = default;

Result<void> Packer::pack(ElementForm form, std::span<const std::byte> elements,
                          std::vector<std::byte>& out) {
    if (!m_state->ready) {
        return fail(ErrorCode::OutOfMemory, "Cannot initialize compression");
    }
    std::span<const std::byte> planes = elements;
    if (form.bytes > 1 || form.rotate) {
        m_state->planes.resize(elements.size());
        split(form, elements, m_state->planes);
        planes = m_state->planes;
    }
    const std::size_t count = elements.size() / form.bytes;
    std::size_t head = out.size();
    out.resize(out.size() + form.bytes * kPlaneHead);
    for (std::size_t plane = 0; plane < form.bytes; ++plane) {
        const std::size_t before = out.size();
        CAIRN_TRY(const Mode mode,
                  m_state->add(planes.subspan(plane * count, count), form.bytes == 1, out));
        out[head] = static_cast<std::byte>(mode);
        storeLittle(std::span(out), head + 1, static_cast<std::uint32_t>(out.size() - before));
        head += kPlaneHead;
    }
    return {};
}

struct Unpacker::State {
    std::unique_ptr<ZSTD_DCtx, FreeDecoder> context{ZSTD_createDCtx()};
    std::vector<std::byte> planes;

    /// Unpacks `packed` into `plane`; `at` is its offset for errors.
    Result<void> fill(Mode mode, std::span<const std::byte> packed, std::size_t at,
                      std::span<std::byte> plane) const {
        const auto wrong = [&](std::size_t expected) {
            return fail(ErrorCode::BadEncoding, "A byte plane has the wrong length")
                .at(at)
                .butFound(sentence("%1 bytes", packed.size()))
                .expecting(verbatim(std::to_string(expected)));
        };
        switch (mode) {
        case Mode::Constant:
            if (packed.size() != 1) {
                return wrong(1);
            }
            std::memset(plane.data(), std::to_integer<int>(packed.front()), plane.size());
            return {};
        case Mode::Stored:
            if (packed.size() != plane.size()) {
                return wrong(plane.size());
            }
            std::memcpy(plane.data(), packed.data(), plane.size());
            return {};
        case Mode::Zstd:
            break;
        }
        const std::size_t size = ZSTD_decompressDCtx(context.get(), plane.data(), plane.size(),
                                                     packed.data(), packed.size());
        if (ZSTD_isError(size) || size != plane.size()) {
            return fail(ErrorCode::BadEncoding, "A compressed byte plane is damaged")
                .at(at)
                .butFound(ZSTD_isError(size) ? verbatim(ZSTD_getErrorName(size))
                                             : sentence("%1 bytes", size))
                .expecting(sentence("%1 bytes", plane.size()));
        }
        return {};
    }
};

Unpacker::Unpacker() : m_state(std::make_unique<State>()) {}
Unpacker::Unpacker(Unpacker&&) noexcept = default;
Unpacker& Unpacker::operator=(Unpacker&&) noexcept = default;
Unpacker::~Unpacker() = default;

Result<void> Unpacker::unpack(ElementForm form, std::span<const std::byte> packed,
                              std::span<std::byte> elements) {
    if (!m_state->context) {
        return fail(ErrorCode::OutOfMemory, "Cannot initialize decompression");
    }
    std::size_t at = form.bytes * kPlaneHead;
    if (packed.size() < at) {
        return fail(ErrorCode::Truncated, "A packed chunk is shorter than its header").at(0);
    }
    const bool whole = form.bytes == 1 && !form.rotate;
    if (!whole) {
        m_state->planes.resize(elements.size());
    }
    const std::span<std::byte> planes = whole ? elements : std::span(m_state->planes);
    const std::size_t count = elements.size() / form.bytes;
    for (std::size_t plane = 0; plane < form.bytes; ++plane) {
        const auto mode = std::to_integer<std::uint8_t>(packed[plane * kPlaneHead]);
        const auto length = loadLittle<std::uint32_t>(packed, plane * kPlaneHead + 1);
        if (mode > static_cast<std::uint8_t>(Mode::Constant)) {
            return fail(ErrorCode::BadEncoding, "Unknown packing of a byte plane")
                .at(plane * kPlaneHead)
                .butFound(verbatim(std::to_string(mode)));
        }
        if (length > packed.size() - at) {
            return fail(ErrorCode::Truncated, "A byte plane extends beyond its chunk").at(at);
        }
        CAIRN_CHECK(m_state->fill(static_cast<Mode>(mode), packed.subspan(at, length), at,
                                  planes.subspan(plane * count, count)));
        at += length;
    }
    if (at != packed.size()) {
        return fail(ErrorCode::BadEncoding, "Trailing bytes after a packed chunk").at(at);
    }
    if (!whole) {
        join(form, planes, elements);
    }
    return {};
}

} // namespace cairn::planes
