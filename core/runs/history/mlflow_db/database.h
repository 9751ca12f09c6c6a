// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/history/mlflow_db/read_only_vfs.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cairn::history::mlflow_db {

/// One row of a query; texts live until the next row.
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
    std::uint64_t& m_textBytes; ///< given out so far
};

/// A hostile database, opened for reading: its schema is not trusted, views, virtual tables and
/// computed columns are refused, only SELECT on the named tables is allowed, lengths and the number
/// of steps of a query's program are bounded, cancelling stops a query. A file may lead in\n///
/// circles, so that a small one has no end: the work is bounded by its size. One thread at a time.
class Database {
public:
    /// `cancel` and `vfs` are borrowed and outlive the database. Fails: BadEncoding when this is no
    /// database.
    static Result<Database> open(ReadOnlyVfs& vfs, std::string name, const CancelToken& cancel);

    /// False when there is no such table. Fails: Unsupported when it is a view, virtual or has
    /// computed columns. REQUIRES: a name of this program, not of the file.
    Result<bool> hasTable(const std::string& table);

    /// Calls row() for each row until it returns false. Fails: BadEncoding (damaged, no such
    /// column), Cancelled, LimitExceeded (a value longer than allowed, more work than the file's\n
    /// /// size explains), what reading failed with, and BeingWritten when a transaction was left
    /// unfinished in the journal.
    Result<void> select(const char* sql, const std::function<bool(const Row&)>& row);

private:
    struct Close {
        void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
    };
    /// What bounds the work; SQLite calls it, so that it stays where it is.
    struct Watch {
        const CancelToken* cancel = nullptr;
        std::uint64_t checksLeft = 0;
        std::uint64_t textLeft = 0; ///< bytes
    };
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

} // namespace cairn::history::mlflow_db
