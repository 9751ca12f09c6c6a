// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/sqlite/read_database.h"

#include "core/base/endian.h"
#include "core/io/folder.h"
#include "core/runs/history/sqlite/database.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace cairn::history::sqlite {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr auto kEndings = std::to_array<std::string_view>({".db", ".sqlite", ".sqlite3"});
constexpr int kTries = 4;
constexpr std::chrono::milliseconds kPause{50};

/// Null if it is missing or empty.
Result<ByteSourcePtr> openBeside(const Folder& folder, const std::string& name) {
    auto source = folder.openFile(name);
    if (!source && source.error().code != ErrorCode::NotFound) {
        return std::move(source).error();
    }
    return source && (*source)->size() > 0 ? *source : ByteSourcePtr();
}

Result<DatabaseFiles> openFiles(const HistoryCandidate& candidate) {
    const Folder& folder = *candidate.folder;
    CAIRN_TRY(ByteSourcePtr database, folder.openFile(candidate.name));
    CAIRN_TRY(ByteSourcePtr wal, openBeside(folder, candidate.name + "-wal"));
    CAIRN_TRY(ByteSourcePtr journal, openBeside(folder, candidate.name + "-journal"));
    return DatabaseFiles{std::move(database), std::move(wal), std::move(journal)};
}

bool unchanged(const HistoryCandidate& candidate, const DatabaseFiles& files) {
    const auto now = openFiles(candidate);
    const auto same = [](const ByteSourcePtr& a, const ByteSourcePtr& b) {
        return (a == nullptr) == (b == nullptr) && (a == nullptr || a->identity() == b->identity());
    };
    return now && same(now->database, files.database) && same(now->wal, files.wal) &&
           same(now->journal, files.journal);
}

Notice notQuite(ErrorCode code, Sentence message, const HistoryCandidate& candidate) {
    return {Severity::Warning,
            fail(code, message)
                .inFile(candidate.path.string())
                .withHint("The newest values may be missing or incomplete; refresh later")};
}

} // namespace

bool namesDatabase(std::string_view name) {
    return std::ranges::any_of(kEndings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

bool isDatabaseHead(std::span<const std::byte> head) {
    return asText(head).starts_with(kMagic);
}

bool hasTables(const HistoryCandidate& candidate, std::span<const TableShape> shapes) {
    auto files = isDatabaseHead(candidate.head) ? openFiles(candidate)
                                                : Result<DatabaseFiles>(DatabaseFiles{});
    if (!files || files->database == nullptr) {
        return false;
    }
    std::vector<std::string_view> tables;
    for (const TableShape& shape : shapes) {
        tables.push_back(shape.table);
    }
    const CancelToken never;
    ReadOnlyVfs vfs(std::move(*files));
    auto database = Database::open(vfs, candidate.name, never, tables);
    return database && std::ranges::all_of(shapes, [&](const TableShape& shape) {
               const auto columns = database->columnsOf(std::string(shape.table));
               return columns && std::ranges::all_of(shape.columns, [&](std::string_view column) {
                          return std::ranges::find(*columns, column) != columns->end();
                      });
           });
}

Result<void> readDatabase(const HistoryCandidate& candidate, const CancelToken& cancel,
                          std::vector<Notice>& notices,
                          const std::function<Result<void>(DatabaseFiles)>& read) {
    for (int attempt = 1;; ++attempt) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(DatabaseFiles files, openFiles(candidate));
        Result<void> done = read(files);
        if (!done && done.error().code == ErrorCode::Cancelled) {
            return done;
        }
        const bool steady = unchanged(candidate, files);
        const bool unfinished = !done && done.error().code == ErrorCode::BeingWritten;
        if (steady && !unfinished) {
            return done;
        }
        if (attempt < kTries) {
            std::this_thread::sleep_for(kPause);
            continue;
        }
        if (unfinished) {
            files.journal = nullptr;
            CAIRN_CHECK(read(std::move(files)));
            notices.push_back(notQuite(ErrorCode::BeingWritten,
                                       "A transaction of the database is not finished", candidate));
        } else if (done) {
            notices.push_back(notQuite(ErrorCode::BeingWritten,
                                       "The database changed while it was being read", candidate));
        }
        return done || unfinished ? Result<void>() : done;
    }
}

} // namespace cairn::history::sqlite
