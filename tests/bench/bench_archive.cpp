// SPDX-License-Identifier: Apache-2.0
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/planes/planes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

// Packing and unpacking on one core, as the archive does: chunks of 1 MiB, with checksums. Times
// are processor times of the thread (the machine may be busy), the best of kRounds. One line for
// each data set:
//   bench_archive [MIB] 64 MiB of each by default

namespace {

using namespace cairn;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kChunk = std::size_t{1} << 20U;
constexpr int kRounds = 7;

double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double best(const std::function<void()>& work) {
    double least = 1e9;
    for (int round = 0; round < kRounds; ++round) {
        const double start = cpuSeconds();
        work();
        least = std::min(least, cpuSeconds() - start);
    }
    return least;
}

std::vector<float> gaussian(std::size_t count, float deviation, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal(0, deviation);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

template <class Word> Bytes bytesOf(const std::vector<Word>& words) {
    Bytes bytes(words.size() * sizeof(Word));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

/// Round to nearest even.
std::vector<std::uint16_t> narrow(const std::vector<float>& values) {
    std::vector<std::uint16_t> out(values.size());
    std::ranges::transform(values, out.begin(), [](float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
    });
    return out;
}
std::vector<std::uint32_t> wide(const std::vector<float>& values) {
    std::vector<std::uint32_t> out(values.size());
    std::ranges::transform(values, out.begin(),
                           [](float value) { return std::bit_cast<std::uint32_t>(value); });
    return out;
}

/// Entropy of the exponents in bits; sign and mantissa are counted in full.
double boundOf(const Bytes& bytes, std::size_t width) {
    std::array<double, 256> counts{};
    const std::size_t count = bytes.size() / width;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + i * width, width);
        ++counts[(word >> (8 * width - 9)) & 0xFFU];
    }
    double bits = 0;
    for (const double n : counts) {
        bits -=
            n > 0 ? n / static_cast<double>(count) * std::log2(n / static_cast<double>(count)) : 0;
    }
    const auto all = static_cast<double>(8 * width);
    return all / (all - 8 + bits);
}

void measure(const std::string& name, planes::ElementForm form, const Bytes& elements,
             double bound) {
    planes::Packer packer;
    planes::Unpacker unpacker;
    const std::size_t count = elements.size() / kChunk;
    std::vector<Bytes> packed(count);
    std::vector<std::uint32_t> sums(count);
    const auto chunk = [&](std::size_t i) {
        return std::span(elements).subspan(i * kChunk, kChunk);
    };
    const double pack = best([&] {
        for (std::size_t i = 0; i < count; ++i) {
            packed[i].clear();
            if (!packer.pack(form, chunk(i), packed[i])) {
                std::abort();
            }
            sums[i] = crc32c(0, packed[i]);
        }
    });
    Bytes out(kChunk);
    const double unpack = best([&] {
        for (std::size_t i = 0; i < count; ++i) {
            if (crc32c(0, packed[i]) != sums[i] || !unpacker.unpack(form, packed[i], out)) {
                std::abort();
            }
        }
    });
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
        size += packed[i].size();
        if (!unpacker.unpack(form, packed[i], out) || !std::ranges::equal(out, chunk(i))) {
            std::abort();
        }
    }
    const auto total = static_cast<double>(count * kChunk);
    const double ratio = total / static_cast<double>(size);
    std::printf("%-34s ratio %8.4f", name.c_str(), ratio);
    if (bound > 0) {
        std::printf("  bound %.4f (%5.2f %%)", bound, 100 * ratio / bound);
    }
    std::printf("  pack %5.2f GB/s  unpack %5.2f GB/s\n", total / pack / 1e9, total / unpack / 1e9);
}

/// Both encodings of a step, to choose between them.
template <class Word>
void measureDelta(const std::string& name, const std::vector<Word>& before,
                  const std::vector<Word>& after) {
    using Signed = std::make_signed_t<Word>;
    std::vector<Word> exclusive(before.size());
    std::vector<Word> difference(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        exclusive[i] = static_cast<Word>(before[i] ^ after[i]);
        const auto step = static_cast<Signed>(static_cast<Word>(after[i] - before[i]));
        difference[i] = static_cast<Word>((static_cast<Word>(step) << 1U) ^
                                          static_cast<Word>(step >> (8 * sizeof(Word) - 1)));
    }
    measure(name + ", exclusive or", {sizeof(Word), true}, bytesOf(exclusive), 0);
    measure(name + ", difference", {sizeof(Word), false}, bytesOf(difference), 0);
}

std::vector<float> moved(std::vector<float> values, float by, double share) {
    std::mt19937_64 random(9);
    std::normal_distribution<float> normal(0, by);
    std::bernoulli_distribution chosen(share);
    for (float& value : values) {
        value += chosen(random) ? normal(random) : 0;
    }
    return values;
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t bytes = std::stoul(argc > 1 ? argv[1] : "64") * kChunk;
    const auto weights = gaussian(bytes / 2, 0.02F, 1);
    const std::vector<float> fewer(weights.begin(), weights.begin() + static_cast<long>(bytes / 4));
    const Bytes bfloat = bytesOf(narrow(weights));
    const Bytes single = bytesOf(wide(fewer));
    measure("bfloat16 weights", {2, true}, bfloat, boundOf(bfloat, 2));
    measure("float32 weights", {4, true}, single, boundOf(single, 4));
    std::mt19937_64 random(4);
    std::vector<std::uint64_t> noise(bytes / 8);
    std::ranges::generate(noise, std::ref(random));
    measure("noise as float32", {4, true}, bytesOf(noise), 1);
    measure("noise as bytes", {1, false}, bytesOf(noise), 1);
    const auto step = moved(fewer, 1e-5F, 1);
    const auto small = moved(fewer, 1e-6F, 1);
    measureDelta("float32 step of 1e-5", wide(fewer), wide(step));
    measureDelta("float32 step of 1e-6", wide(fewer), wide(small));
    measureDelta("bfloat16 step of 1e-5", narrow(fewer), narrow(step));
    measureDelta("bfloat16 step of 1e-6", narrow(fewer), narrow(small));
    const auto rare = moved(fewer, 1e-3F, 0.01);
    measureDelta("bfloat16, 1 % changed", narrow(fewer), narrow(rare));
    measureDelta("float32, 1 % changed", wide(fewer), wide(rare));
    return 0;
}
