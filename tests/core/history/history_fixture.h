// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

/// A temporary folder, and short functions for the parts of a history.
namespace cairn {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

class HistoryFolder : public test::TemporaryFolder {
public:
    /// The folder's history; a failure fails the test.
    [[nodiscard]] RunHistory read(const std::string& run = {}) const {
        auto history = readHistory(run.empty() ? path() : path() / run, path());
        EXPECT_TRUE(history) << describe(history.error());
        return history ? std::move(*history) : RunHistory{};
    }
};

inline std::filesystem::path historyData(const std::string& name) {
    return std::filesystem::path(CAIRN_SOURCE_DIR) / "tests/data/history" / name;
}

inline RunHistory readData(const std::string& name) {
    auto history = readHistory(historyData(name), historyData(name));
    EXPECT_TRUE(history) << describe(history.error());
    return history ? std::move(*history) : RunHistory{};
}

/// The primary series of that name; an empty one, and a test failure, if there is none.
inline MetricSeries seriesOf(const RunHistory& history, std::string_view name) {
    const MetricSeries* series = history.primary(name);
    EXPECT_NE(series, nullptr) << name;
    return series != nullptr ? *series : MetricSeries{};
}

inline bool warnsOf(const HistorySource& source, ErrorCode code) {
    for (const Notice& notice : source.warnings) {
        if (notice.error.code == code) {
            return true;
        }
    }
    return false;
}

} // namespace cairn
