// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"
#include "core/runs/retention.h"

#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

/// A folder of runs to scan, gone after the test.
namespace cairn::test {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "cairn-runs-XXXXXX").string();
        m_path = ::mkdtemp(pattern.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(m_path); }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    void write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((m_path / name).parent_path());
        std::ofstream(m_path / name, std::ios::binary) << content;
    }
    void link(const std::string& name, const std::string& target) const {
        std::filesystem::create_directories((m_path / name).parent_path());
        std::filesystem::create_symlink(target, m_path / name);
    }
    /// Sets the time of the last change, in seconds before now.
    void age(const std::string& name, int seconds) const {
        std::filesystem::last_write_time(m_path / name,
                                         std::filesystem::file_time_type::clock::now() -
                                             std::chrono::seconds(seconds));
    }

private:
    std::filesystem::path m_path;
};

/// The smallest whole checkpoint.
inline std::string safetensors() {
    const std::string header = R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size());
    return file + header + "abcd";
}

inline const ScannedRun* findRun(const Experiment& experiment, const std::string& id) {
    for (const ScannedRun& run : experiment.runs) {
        if (run.id == id) {
            return &run;
        }
    }
    return nullptr;
}

inline const ScannedCheckpoint* findCheckpoint(const ScannedRun& run, const std::string& name) {
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (each.name == name) {
            return &each;
        }
    }
    return nullptr;
}

/// As if every checkpoint were one file, saved long ago in the run's order.
inline RetentionEvidence settledEvidence(const ScannedRun& run) {
    RetentionEvidence evidence;
    evidence.nowNs = std::int64_t{1} << 60;
    std::int64_t time = 0;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        SavedFiles& saved = evidence.files[each.path];
        saved.whole = true;
        saved.rows.push_back({each.name, EntryKind::File, {1, 1, each.bytes, ++time * 1'000'000'000, 0}});
    }
    return evidence;
}

} // namespace cairn::test
