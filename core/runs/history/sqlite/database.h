// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/history/sqlite/read_only_vfs.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::history::sqlite {

/// One row of a query; texts are valid until the next row.
class Row {
public:
    Row(sqlite3_stmt* statement, std::uint64_t& textBytes)
        : m_statement(statement), m_textBytes(textBytes) {}
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const; ///< empty for null

private:
    sqlite3_stmt* m_statement;
    std::uint64_t& m_textBytes; ///< bytes returned so far
};

/// An untrusted database, opened for reading: views, virtual tables and computed columns are
/// refused, only SELECT on the named tables is allowed, lengths and the number of executed
/// operations are limited, and cancelling stops a query. A crafted file may contain cycles, so that
/// even a small one would never end: the work is limited in proportion to the file's size. Not
/// thread-safe.
class Database {
public:
    /// `tables`: those that may be read; constants of this program. `cancel`, `vfs` and `tables`
    /// must outlive the database. Fails: BadEncoding if this is not a database.
    static Result<Database> open(ReadOnlyVfs& vfs, std::string name, const CancelToken& cancel,
                                 std::span<const std::string_view> tables);

    /// False if there is no such table. Fails: Unsupported if it is a view or virtual, or has
    /// computed columns. REQUIRES: the name is a constant of this program, not from the file.
    Result<bool> hasTable(const std::string& table);

    /// The names of a table's columns; empty if there is no such table. Fails as hasTable().
    Result<std::vector<std::string>> columnsOf(const std::string& table);

    /// Calls row() for each row until it returns false. Fails: BadEncoding (damaged, unknown
    /// column), Cancelled, LimitExceeded (a value that is too long, or more work than the file's
    /// size explains), the errors of reading, and BeingWritten if the journal contains an
    /// unfinished transaction.
    Result<void> select(const char* sql, const std::function<bool(const Row&)>& row);

private:
    struct Close {
        void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
    };
    /// Limits for the progress callback; SQLite keeps its address.
    struct Watch {
        const CancelToken* cancel = nullptr;
        std::uint64_t checksLeft = 0;
        std::uint64_t textLeft = 0; ///< bytes
        std::span<const std::string_view> tables;
    };
    static int authorise(void* watch, int action, const char* name, const char* column,
                         const char* database, const char* trigger);
    Database(sqlite3* connection, ReadOnlyVfs& vfs, std::string name, const CancelToken& cancel);
    static int stopsHere(void* watch);
    Result<void> harden();
    [[nodiscard]] Error failure(int code) const;
    [[nodiscard]] Error endless() const;

    std::unique_ptr<sqlite3, Close> m_connection;
    ReadOnlyVfs* m_vfs;
    std::string m_name;
    std::unique_ptr<Watch> m_watch;
};

} // namespace cairn::history::sqlite
