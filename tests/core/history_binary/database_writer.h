// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/history_binary/fixture.h"

#include <set>
#include <sqlite3.h>

/// Databases as trackers write them.
namespace cairn::history_test {

/// Uses the real library as a trainer would; can be closed as if the process had been killed.
class Writer {
public:
    explicit Writer(const fs::path& path) {
        EXPECT_EQ(sqlite3_open(path.c_str(), &m_connection), SQLITE_OK);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { sqlite3_close(m_connection); }
    Writer& run(const std::string& sql) {
        char* error = nullptr;
        EXPECT_EQ(sqlite3_exec(m_connection, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
            << (error == nullptr ? "" : error);
        sqlite3_free(error);
        return *this;
    }

private:
    sqlite3* m_connection = nullptr;
};

inline std::set<std::string> namesIn(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

inline std::string allBytes(const fs::path& folder) {
    std::string bytes;
    for (const std::string& name : namesIn(folder)) {
        bytes += name + readAll(folder / name);
    }
    return bytes;
}

} // namespace cairn::history_test
