// SPDX-License-Identifier: Apache-2.0
#include "core/codec/planes/split.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/codec/planes/split.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cairn::planes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<std::uint8_t>;
using V = hn::Vec<Tag>;

/// `low` is the next lower byte of the element (for the lowest byte: the highest byte).
HWY_INLINE V rotatedLeft(V high, V low) {
    return hn::Or(hn::Add(high, high), hn::ShiftRight<7>(low));
}
HWY_INLINE V rotatedRight(V low, V high) {
    return hn::Or(hn::ShiftRight<1>(low), hn::ShiftLeft<7>(high));
}

// These functions process as many elements as fill complete vectors, and return their number.

template <bool kRotate>
std::size_t split2(const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    const Tag d;
    const std::size_t step = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + step <= count; i += step) {
        V a;
        V b;
        hn::LoadInterleaved2(d, from + 2 * i, a, b);
        hn::StoreU(kRotate ? rotatedLeft(a, b) : a, d, to + i);
        hn::StoreU(kRotate ? rotatedLeft(b, a) : b, d, to + count + i);
    }
    return i;
}

template <bool kRotate>
std::size_t split4(const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    const Tag d;
    const std::size_t step = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + step <= count; i += step) {
        V a;
        V b;
        V c;
        V e;
        hn::LoadInterleaved4(d, from + 4 * i, a, b, c, e);
        hn::StoreU(kRotate ? rotatedLeft(a, e) : a, d, to + i);
        hn::StoreU(kRotate ? rotatedLeft(b, a) : b, d, to + count + i);
        hn::StoreU(kRotate ? rotatedLeft(c, b) : c, d, to + 2 * count + i);
        hn::StoreU(kRotate ? rotatedLeft(e, c) : e, d, to + 3 * count + i);
    }
    return i;
}

template <bool kRotate>
std::size_t join2(const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    const Tag d;
    const std::size_t step = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + step <= count; i += step) {
        const V a = hn::LoadU(d, from + i);
        const V b = hn::LoadU(d, from + count + i);
        hn::StoreInterleaved2(kRotate ? rotatedRight(a, b) : a, kRotate ? rotatedRight(b, a) : b, d,
                              to + 2 * i);
    }
    return i;
}

template <bool kRotate>
std::size_t join4(const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    const Tag d;
    const std::size_t step = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + step <= count; i += step) {
        const V a = hn::LoadU(d, from + i);
        const V b = hn::LoadU(d, from + count + i);
        const V c = hn::LoadU(d, from + 2 * count + i);
        const V e = hn::LoadU(d, from + 3 * count + i);
        if (kRotate) {
            hn::StoreInterleaved4(rotatedRight(a, b), rotatedRight(b, c), rotatedRight(c, e),
                                  rotatedRight(e, a), d, to + 4 * i);
        } else {
            hn::StoreInterleaved4(a, b, c, e, d, to + 4 * i);
        }
    }
    return i;
}

std::size_t splitSome(std::size_t width, bool rotate, const std::uint8_t* from, std::uint8_t* to,
                      std::size_t count) {
    if (width == 2) {
        return rotate ? split2<true>(from, to, count) : split2<false>(from, to, count);
    }
    return rotate ? split4<true>(from, to, count) : split4<false>(from, to, count);
}

std::size_t joinSome(std::size_t width, bool rotate, const std::uint8_t* from, std::uint8_t* to,
                     std::size_t count) {
    if (width == 2) {
        return rotate ? join2<true>(from, to, count) : join2<false>(from, to, count);
    }
    return rotate ? join4<true>(from, to, count) : join4<false>(from, to, count);
}

} // namespace cairn::planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::planes {
namespace {

HWY_EXPORT(splitSome);
HWY_EXPORT(joinSome);

/// Calls visit() with a word of this width.
template <class Visit> void withWord(std::size_t width, const Visit& visit) {
    switch (width) {
    case 2:
        return visit(std::uint16_t{});
    case 4:
        return visit(std::uint32_t{});
    case 8:
        return visit(std::uint64_t{});
    default:
        return visit(std::uint8_t{});
    }
}

/// The scalar loop for elements [first, count).
template <class Word>
void splitWords(bool rotate, std::span<const std::byte> elements, std::span<std::byte> planes,
                std::size_t first) {
    const std::size_t count = elements.size() / sizeof(Word);
    for (std::size_t i = first; i < count; ++i) {
        Word word{};
        std::memcpy(&word, elements.data() + i * sizeof(Word), sizeof(Word));
        word = rotate ? std::rotl(word, 1) : word;
        for (std::size_t plane = 0; plane < sizeof(Word); ++plane) {
            planes[plane * count + i] = static_cast<std::byte>((word >> (8 * plane)) & 0xFFU);
        }
    }
}

template <class Word>
void joinWords(bool rotate, std::span<const std::byte> planes, std::span<std::byte> elements,
               std::size_t first) {
    const std::size_t count = elements.size() / sizeof(Word);
    for (std::size_t i = first; i < count; ++i) {
        Word word{};
        for (std::size_t plane = 0; plane < sizeof(Word); ++plane) {
            const auto byte = std::to_integer<Word>(planes[plane * count + i]);
            word = static_cast<Word>(word | static_cast<Word>(byte << (8 * plane)));
        }
        word = rotate ? std::rotr(word, 1) : word;
        std::memcpy(elements.data() + i * sizeof(Word), &word, sizeof(Word));
    }
}

/// a[i] = made(a[i], b[i]); compilers vectorize it.
template <class Word, class Made>
void eachWordOf(std::span<std::byte> a, std::span<const std::byte> b, const Made& made) {
    for (std::size_t at = 0; at + sizeof(Word) <= a.size(); at += sizeof(Word)) {
        Word left{};
        Word right{};
        std::memcpy(&left, a.data() + at, sizeof(Word));
        std::memcpy(&right, b.data() + at, sizeof(Word));
        left = made(left, right);
        std::memcpy(a.data() + at, &left, sizeof(Word));
    }
}

template <class Made>
void eachWord(std::size_t width, std::span<std::byte> a, std::span<const std::byte> b,
              const Made& made) {
    withWord(width, [&](auto word) { eachWordOf<decltype(word)>(a, b, made); });
}

const std::uint8_t* raw(std::span<const std::byte> bytes) {
    return reinterpret_cast<const std::uint8_t*>(bytes.data());
}
std::uint8_t* raw(std::span<std::byte> bytes) {
    return reinterpret_cast<std::uint8_t*>(bytes.data());
}

} // namespace

void split(ElementForm form, std::span<const std::byte> elements, std::span<std::byte> planes) {
    const bool wide = form.bytes == 2 || form.bytes == 4;
    const std::size_t done =
        wide ? HWY_DYNAMIC_DISPATCH(splitSome)(form.bytes, form.rotate, raw(elements), raw(planes),
                                               elements.size() / form.bytes)
             : 0;
    withWord(form.bytes,
             [&](auto word) { splitWords<decltype(word)>(form.rotate, elements, planes, done); });
}

void join(ElementForm form, std::span<const std::byte> planes, std::span<std::byte> elements) {
    const bool wide = form.bytes == 2 || form.bytes == 4;
    const std::size_t done =
        wide ? HWY_DYNAMIC_DISPATCH(joinSome)(form.bytes, form.rotate, raw(planes), raw(elements),
                                              elements.size() / form.bytes)
             : 0;
    withWord(form.bytes,
             [&](auto word) { joinWords<decltype(word)>(form.rotate, planes, elements, done); });
}

void toSteps(std::size_t width, std::span<std::byte> elements, std::span<const std::byte> earlier) {
    eachWord(width, elements, earlier, [](auto after, auto before) {
        using Word = decltype(after);
        const auto step = static_cast<Word>(after - before);
        const auto sign = static_cast<Word>(step >> (8 * sizeof(Word) - 1));
        return static_cast<Word>(static_cast<Word>(step << 1U) ^ static_cast<Word>(0U - sign));
    });
}

void takeSteps(std::size_t width, std::span<std::byte> steps, std::span<const std::byte> earlier) {
    eachWord(width, steps, earlier, [](auto step, auto before) {
        using Word = decltype(step);
        const auto sign = static_cast<Word>(step & 1U);
        const auto change =
            static_cast<Word>(static_cast<Word>(step >> 1U) ^ static_cast<Word>(0U - sign));
        return static_cast<Word>(before + change);
    });
}

} // namespace cairn::planes
#endif
