// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/history.h"

#include <chrono>
#include <cstdio>

/// Reads the histories of a run, or one log, and prints the seconds and the numbers of curves and
/// points: bench_history PATH
int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("bench_history PATH\n", stderr);
        return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto history = cairn::readHistory(arguments[1], arguments[1]);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!history) {
        std::fprintf(stderr, "%s\n", cairn::describe(history.error()).c_str());
        return 1;
    }
    std::size_t points = 0;
    for (const cairn::MetricSeries& series : history->series) {
        points += series.size();
    }
    std::printf("{\"seconds\": %.4f, \"series\": %zu, \"points\": %zu}\n", elapsed.count(),
                history->series.size(), points);
    return 0;
}
