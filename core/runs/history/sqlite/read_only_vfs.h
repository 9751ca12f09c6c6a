// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <optional>
#include <sqlite3.h>
#include <string>

namespace cairn::history::sqlite {

/// A database and its companion files at one moment. `wal` and `journal` are null if missing.
struct DatabaseFiles {
    ByteSourcePtr database;
    ByteSourcePtr wal;
    ByteSourcePtr journal;
};

/// A virtual file system for SQLite with exactly these files, read-only. It cannot write, create,
/// delete or lock, so that a database can be read while a run writes it, on a read-only medium, and
/// without leaving a "-wal" or "-shm" file. The index of the write-ahead log is kept in memory,
/// which needs `PRAGMA locking_mode=EXCLUSIVE`. Registered under a unique name during its lifetime.
/// One connection at a time, which must be closed first.
class ReadOnlyVfs {
public:
    explicit ReadOnlyVfs(DatabaseFiles files);
    ReadOnlyVfs(const ReadOnlyVfs&) = delete;
    ReadOnlyVfs& operator=(const ReadOnlyVfs&) = delete;
    ~ReadOnlyVfs();

    static constexpr const char* kDatabaseName = "/database"; ///< the path to open
    [[nodiscard]] const char* name() const { return m_name.c_str(); }
    [[nodiscard]] std::uint64_t bytes() const; ///< of all files together
    /// Why the last read failed, which SQLite does not report.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }

private:
    struct Access;

    DatabaseFiles m_files;
    std::string m_name;
    sqlite3_vfs m_vfs{};
    std::optional<Error> m_failure;
};

} // namespace cairn::history::sqlite
