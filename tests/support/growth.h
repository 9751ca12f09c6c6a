// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>

namespace cairn::test {

/// Processor time of this process in seconds, independent of other load on the machine.
template <class Work> double processorSeconds(const Work& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// How many times longer ten times the work takes: about 10 if the work is linear, 100 if it is
/// quadratic. `seconds(n)` returns the time of a task of size n.
template <class Seconds> double growth(std::size_t size, const Seconds& seconds) {
    double few = seconds(size);
    few = std::min({few, seconds(size), seconds(size)});
    return std::min(seconds(10 * size), seconds(10 * size)) / std::max(few, 1e-4);
}

/// Above the factor of linear work with full caches and growing tables; far below 100.
constexpr double kLinear = 40;

} // namespace cairn::test
