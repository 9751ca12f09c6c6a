// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>

namespace cairn::test {

/// Processor time of this process in seconds, so that a busy machine does not count.
template <class Work> double processorSeconds(const Work& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// How many times as long ten times as much takes: about 10 where work grows with its input, 100
/// where each looks at all others. `seconds(n)` gives what a task of size n took.
template <class Seconds> double growth(std::size_t size, const Seconds& seconds) {
    double few = seconds(size);
    few = std::min({few, seconds(size), seconds(size)});
    return std::min(seconds(10 * size), seconds(10 * size)) / std::max(few, 1e-4);
}

/// Above what linear work reaches, with its caches full and its tables growing; far below 100.
constexpr double kLinear = 40;

} // namespace cairn::test
