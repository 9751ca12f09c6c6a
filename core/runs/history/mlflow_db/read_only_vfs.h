// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <optional>
#include <sqlite3.h>
#include <string>

namespace cairn::history::mlflow_db {

/// A database and what is beside it at one moment. `wal` and `journal` are null when they are not
/// there.
struct DatabaseFiles {
    ByteSourcePtr database;
    ByteSourcePtr wal;
    ByteSourcePtr journal;
};

/// The file system that SQLite sees: these files and no others, for reading and nothing else. There
/// is no way to write, to create, to delete or to lock, so that a database can be read beside the
/// run that writes it, on a read-only medium and without leaving a "-wal" or "-shm" after. The
/// write-ahead log is read with its index in memory, which needs `PRAGMA locking_mode=EXCLUSIVE`.
/// Registered under a name of its own while it lives. One connection at a time; it must be closed
/// first.
class ReadOnlyVfs {
public:
    explicit ReadOnlyVfs(DatabaseFiles files);
    ReadOnlyVfs(const ReadOnlyVfs&) = delete;
    ReadOnlyVfs& operator=(const ReadOnlyVfs&) = delete;
    ~ReadOnlyVfs();

    static constexpr const char* kDatabaseName = "/database"; ///< what to open
    [[nodiscard]] const char* name() const { return m_name.c_str(); }
    [[nodiscard]] std::uint64_t bytes() const; ///< of all files together
    /// Why the last read failed, where SQLite only knows that it did.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }

private:
    struct Access;

    DatabaseFiles m_files;
    std::string m_name;
    sqlite3_vfs m_vfs{};
    std::optional<Error> m_failure;
};

} // namespace cairn::history::mlflow_db
