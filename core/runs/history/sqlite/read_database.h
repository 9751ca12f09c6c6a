// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/history/sqlite/read_only_vfs.h"

#include <functional>
#include <span>
#include <string_view>

namespace cairn::history::sqlite {

/// ".db", ".sqlite", ".sqlite3".
bool namesDatabase(std::string_view name);

/// The first bytes of a database.
bool isDatabaseHead(std::span<const std::byte> head);

/// A table that a writer makes, and columns that it has.
struct TableShape {
    std::string_view table;
    std::span<const std::string_view> columns;
};

/// Whether the file is a database with these tables. Opens it, because the definitions may be
/// anywhere in the file; false if it cannot be read.
bool hasTables(const HistoryCandidate& candidate, std::span<const TableShape> shapes);

/// Reads a database that a run may be writing: takes no locks, and if the files changed while
/// `read` read them, it is called again. After several attempts the last result is used, with a
/// warning in `notices`. An unfinished transaction is read without its journal, because partial
/// data is better than none. Fails: as `read`, and as Folder::openFile.
Result<void> readDatabase(const HistoryCandidate& candidate, const CancelToken& cancel,
                          std::vector<Notice>& notices,
                          const std::function<Result<void>(DatabaseFiles)>& read);

} // namespace cairn::history::sqlite
