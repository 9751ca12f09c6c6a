// SPDX-License-Identifier: Apache-2.0
#include "core/compute/cast.h"
#include "core/jobs/elements/plain_cast.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

// Casts on one core, compared with a memcpy that reads and writes the same number of bytes in
// total; also the verifier's scalar code and the counting of changed values. Times are processor
// times of the thread; printed are medians of the ratios over kRounds alternating rounds.
//   bench_cast [MIB] 256 MiB read by each cast by default: far beyond the caches

namespace {

using namespace cairn;
using Bytes = std::vector<std::byte>;

constexpr int kRounds = 7;

double seconds(const std::function<void()>& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    work();
    return now() - start;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Gaussian weights of standard deviation 0.02 at the dtype.
Bytes weights(Dtype dtype, std::size_t bytes) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 0.02F);
    std::vector<float> some(std::size_t{1} << 20U);
    std::ranges::generate(some, [&] { return normal(random); });
    const std::size_t width = dtypeInfo(dtype).bits / 8;
    Bytes block(some.size() * width);
    if (dtype == Dtype::Float32) {
        std::memcpy(block.data(), some.data(), block.size());
    } else {
        castElements(Dtype::Float32, std::as_bytes(std::span(some)), dtype, block);
    }
    Bytes all(bytes);
    for (std::size_t at = 0; at < bytes; at += block.size()) {
        std::memcpy(all.data() + at, block.data(), std::min(block.size(), bytes - at));
    }
    return all;
}

void measure(Dtype from, Dtype to, std::size_t bytes) {
    const Bytes in = weights(from, bytes);
    Bytes out(bytes / (dtypeInfo(from).bits / 8) * (dtypeInfo(to).bits / 8), std::byte{1});
    const std::size_t half = (in.size() + out.size()) / 2;
    Bytes left(half, std::byte{2});
    Bytes right(half, std::byte{3});
    std::vector<double> cast;
    std::vector<double> plain;
    std::vector<double> tally;
    std::vector<double> rate;
    for (int round = 0; round < kRounds; ++round) {
        const double copy = seconds([&] { std::memcpy(right.data(), left.data(), half); });
        const double kernel = seconds([&] { castElements(from, in, to, out); });
        cast.push_back(copy / kernel);
        rate.push_back(static_cast<double>(in.size() + out.size()) / 1e9 / kernel);
        CastTally told;
        tally.push_back(copy / seconds([&] { tallyCast(from, in, to, out, told); }));
        plain.push_back(copy / seconds([&] { castPlainly(from, in, to, out); }));
        left.swap(right);
    }
    std::printf("%-14s to %-16s %5.1f GB/s, of memcpy: cast %.2f (%.2f-%.2f)  verifier's %.2f  "
                "tally %.2f\n",
                std::string(dtypeName(from)).c_str(), std::string(dtypeName(to)).c_str(),
                median(rate), median(cast), *std::ranges::min_element(cast),
                *std::ranges::max_element(cast), median(plain), median(tally));
}

} // namespace

int main(int count, char** arguments) {
    const std::size_t bytes = (count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 256) << 20U;
    measure(Dtype::Float32, Dtype::Bfloat16, bytes);
    measure(Dtype::Float32, Dtype::Float16, bytes);
    measure(Dtype::Bfloat16, Dtype::Float32, bytes);
    measure(Dtype::Bfloat16, Dtype::Float16, bytes);
    measure(Dtype::Float16, Dtype::Bfloat16, bytes);
    measure(Dtype::Float64, Dtype::Float32, bytes);
    for (const Dtype to :
         {Dtype::Float8E4m3fn, Dtype::Float8E5m2, Dtype::Float8E4m3fnuz, Dtype::Float8E5m2fnuz}) {
        measure(Dtype::Float32, to, bytes);
        measure(Dtype::Bfloat16, to, bytes);
    }
    measure(Dtype::Float8E4m3fn, Dtype::Bfloat16, bytes);
    return 0;
}
