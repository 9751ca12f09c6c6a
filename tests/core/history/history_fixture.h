// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

/// A folder that goes away, and short ways to ask for what a history tells.
namespace cairn {

class HistoryFolder {
public:
    HistoryFolder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "cairn-history-XXXXXX").string();
        m_path = ::mkdtemp(pattern.data());
    }
    HistoryFolder(const HistoryFolder&) = delete;
    HistoryFolder& operator=(const HistoryFolder&) = delete;
    ~HistoryFolder() { std::filesystem::remove_all(m_path); }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    void write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((m_path / name).parent_path());
        std::ofstream(m_path / name, std::ios::binary) << content;
    }

    /// The folder's history; a failure fails the test.
    [[nodiscard]] RunHistory read(const std::string& run = {}) const {
        auto history = readHistory(run.empty() ? m_path : m_path / run, m_path);
        EXPECT_TRUE(history) << describe(history.error());
        return history ? std::move(*history) : RunHistory{};
    }

private:
    std::filesystem::path m_path;
};

inline std::filesystem::path historyData(const std::string& name) {
    return std::filesystem::path(CAIRN_SOURCE_DIR) / "tests/data/history" / name;
}

inline RunHistory readData(const std::string& name) {
    auto history = readHistory(historyData(name), historyData(name));
    EXPECT_TRUE(history) << describe(history.error());
    return history ? std::move(*history) : RunHistory{};
}

/// The primary series of that name; an empty one and a failure when there is none.
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
