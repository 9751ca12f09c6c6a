// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/sqlite/database.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::history::sqlite {
namespace {

constexpr int kOperationsPerCheck =
    20'000; ///< operations of SQLite's virtual machine; well below a millisecond

// A generous bound for reading every row once: a row has more than eight bytes and takes about ten
// operations.
constexpr std::uint64_t kChecksAtLeast = 200;
constexpr std::uint64_t kBytesPerCheck = 8 * kOperationsPerCheck / 100;
constexpr std::uint64_t kTextAtLeast = std::uint64_t{1} << 20U;

struct Limit {
    int id;
    int value;
};
/// Well above the needs of the tables that are read. Source: sqlite.org/limits.html,
/// sqlite.org/security.html.
constexpr std::array kLimits{
    Limit{SQLITE_LIMIT_LENGTH, 1 << 20},
    Limit{SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    Limit{SQLITE_LIMIT_COLUMN, 200},
    Limit{SQLITE_LIMIT_EXPR_DEPTH, 50},
    Limit{SQLITE_LIMIT_COMPOUND_SELECT, 5},
    Limit{SQLITE_LIMIT_VDBE_OP, 25'000},
    Limit{SQLITE_LIMIT_FUNCTION_ARG, 8},
    Limit{SQLITE_LIMIT_ATTACHED, 0},
    Limit{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
    Limit{SQLITE_LIMIT_VARIABLE_NUMBER, 10},
    Limit{SQLITE_LIMIT_TRIGGER_DEPTH, 5},
    Limit{SQLITE_LIMIT_WORKER_THREADS, 0},
};

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

} // namespace

bool Row::isNull(int column) const {
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}
std::int64_t Row::integer(int column) const {
    return sqlite3_column_int64(m_statement, column);
}
double Row::real(int column) const {
    return sqlite3_column_double(m_statement, column);
}
std::string_view Row::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    const auto length = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
    m_textBytes += length;
    return text == nullptr ? std::string_view() : std::string_view(text, length);
}

Database::Database(sqlite3* connection, ReadOnlyVfs& vfs, std::string name,
                   const CancelToken& cancel)
    : m_connection(connection), m_vfs(&vfs), m_name(std::move(name)),
      m_watch(std::make_unique<Watch>()) {
    m_watch->cancel = &cancel;
    m_watch->checksLeft = kChecksAtLeast + vfs.bytes() / kBytesPerCheck;
    m_watch->textLeft = kTextAtLeast + 4 * vfs.bytes(); // names of runs are read more than once
}

/// Allows reading columns of the wanted tables and querying their definitions, nothing else: no
/// functions, attached databases or other pragmas. `name` is that of a table or pragma.
int Database::authorise(void* watch, int action, const char* name, const char* /*column*/,
                        const char* /*database*/, const char* /*trigger*/) {
    if (action == SQLITE_SELECT) {
        return SQLITE_OK;
    }
    const std::string_view text = name == nullptr ? "" : name;
    const auto& tables = static_cast<const Watch*>(watch)->tables;
    const bool isTable = text == "sqlite_master" || text == "sqlite_schema" ||
                         std::find(tables.begin(), tables.end(), text) != tables.end();
    const bool wanted =
        (action == SQLITE_READ && isTable) || (action == SQLITE_PRAGMA && text == "table_xinfo");
    return wanted ? SQLITE_OK : SQLITE_DENY;
}

int Database::stopsHere(void* watch) {
    auto& self = *static_cast<Watch*>(watch);
    self.checksLeft -= self.checksLeft > 0 ? 1 : 0;
    return self.checksLeft == 0 || self.cancel->cancelled() ? 1 : 0;
}

Error Database::endless() const {
    return fail(ErrorCode::LimitExceeded, "The database's pages form a cycle")
        .inFile(m_name)
        .expecting(sentence("at most as many rows as fit its %1 bytes", m_vfs->bytes()));
}

Result<Database> Database::open(ReadOnlyVfs& vfs, std::string name, const CancelToken& cancel,
                                std::span<const std::string_view> tables) {
    sqlite3* connection = nullptr;
    const int code = sqlite3_open_v2(ReadOnlyVfs::kDatabaseName, &connection,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, vfs.name());
    if (connection == nullptr) {
        return fail(ErrorCode::OutOfMemory, "Out of memory while reading the database")
            .inFile(std::move(name));
    }
    Database database(connection, vfs, std::move(name), cancel);
    database.m_watch->tables = tables;
    if (code != SQLITE_OK) {
        return database.failure(code);
    }
    CAIRN_CHECK(database.harden());
    return database;
}

Result<void> Database::harden() {
    sqlite3* connection = m_connection.get();
    for (const Limit& limit : kLimits) {
        sqlite3_limit(connection, limit.id, limit.value);
    }
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_progress_handler(connection, kOperationsPerCheck, stopsHere, m_watch.get());
    const int code = sqlite3_exec(connection,
                                  "PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=1;"
                                  "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;"
                                  "PRAGMA cell_size_check=1;",
                                  nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        return failure(code);
    }
    sqlite3_set_authorizer(connection, authorise, m_watch.get());
    return {};
}

Error Database::failure(int code) const {
    if (m_watch->cancel->cancelled()) {
        return fail(ErrorCode::Cancelled, "Stopped");
    }
    if (m_vfs->failure()) {
        return *m_vfs->failure();
    }
    if (m_watch->checksLeft == 0) {
        return endless();
    }
    const auto because = [&](ErrorCode error, Sentence message) {
        return fail(error, message)
            .inFile(m_name)
            .butFound(verbatim(sqlite3_errmsg(m_connection.get())));
    };
    switch (code & 0xFF) {
    case SQLITE_NOTADB:
        return because(ErrorCode::BadEncoding, "Not an SQLite database");
    case SQLITE_TOOBIG:
        return because(ErrorCode::LimitExceeded, "A value in the database exceeds the size limit");
    case SQLITE_NOMEM:
        return because(ErrorCode::OutOfMemory, "Out of memory while reading the database");
    case SQLITE_READONLY: // the journal would have to be rolled back first
    case SQLITE_CANTOPEN:
        return because(ErrorCode::BeingWritten,
                       "A transaction of the database is in progress or was interrupted");
    default:
        return because(ErrorCode::BadEncoding,
                       "The database is damaged or does not have the expected schema");
    }
}

Result<bool> Database::hasTable(const std::string& table) {
    bool there = false;
    bool isComputed = false;
    CAIRN_CHECK(select("SELECT type, name, rootpage FROM sqlite_master", [&](const Row& row) {
        if (row.text(1) != table || (row.text(0) != "table" && row.text(0) != "view")) {
            return true;
        }
        there = true;
        isComputed =
            row.text(0) == "view" || row.integer(2) == 0; // a virtual table has no root page
        return false;
    }));
    if (there && !isComputed) {
        // A generated column executes an expression of the schema. Column 6 is "hidden": 0 for
        // ordinary columns.
        const std::string columns = "PRAGMA table_xinfo(" + table + ")";
        CAIRN_CHECK(select(columns.c_str(), [&](const Row& row) {
            isComputed = row.integer(6) != 0;
            return !isComputed;
        }));
    }
    if (isComputed) {
        return fail(ErrorCode::Unsupported, "A table of the database is not an ordinary table")
            .inFile(m_name)
            .inField(table)
            .expecting("an ordinary table, as its writer makes it");
    }
    return there;
}

Result<std::vector<std::string>> Database::columnsOf(const std::string& table) {
    std::vector<std::string> names;
    CAIRN_TRY(const bool there, hasTable(table));
    if (there) {
        const std::string columns = "PRAGMA table_xinfo(" + table + ")";
        CAIRN_CHECK(select(columns.c_str(), [&](const Row& row) {
            names.emplace_back(row.text(1));
            return true;
        }));
    }
    return names;
}

Result<void> Database::select(const char* sql, const std::function<bool(const Row&)>& row) {
    CAIRN_CHECK(m_watch->cancel->check());
    sqlite3_stmt* raw = nullptr;
    int code = sqlite3_prepare_v2(m_connection.get(), sql, -1, &raw, nullptr);
    const Statement statement(raw);
    if (code != SQLITE_OK) {
        return failure(code);
    }
    while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
        std::uint64_t textBytes = 0;
        const bool proceed = row(Row(raw, textBytes));
        if (textBytes > m_watch->textLeft) {
            return endless();
        }
        m_watch->textLeft -= textBytes;
        if (!proceed) {
            return {};
        }
    }
    if (code != SQLITE_DONE) {
        return failure(code);
    }
    return {};
}

} // namespace cairn::history::sqlite
