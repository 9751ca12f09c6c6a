// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/position_table.h"
#include "core/formats/dcp/index.h"
#include "core/formats/dcp/metadata_view.h"
#include "core/formats/dcp/storage_rows.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// One `.metadata` while it is read: what IndexBuilder's parts share. Private to this folder.
namespace cairn::formats::dcp {

struct IndexBuilder::Name {
    std::string_view name;
    pickle::NodeId key; ///< the string in the graph
    pickle::NodeId entry;
    std::uint32_t firstRow = kNoRow;
    std::optional<std::uint32_t> leaf; ///< of what became of it
};

struct IndexBuilder::Chunk {
    Box box;
    pickle::NodeId info;
};

struct IndexBuilder::Source {
    explicit Source(const pickle::PickleGraph& graph, const std::string& path)
        : view(graph), file(path), rowsOfTensor(view, rows) {}

    struct KnownPath {
        pickle::NodeId text;
        FileIndex file;
    };

    /// The entry with that name. Most dicts of an index have the order of all others, and mention
    /// the same string objects.
    Name* find(pickle::NodeId key);

    MetadataView view;
    const std::string& file;
    PositionTable ids;
    std::vector<Name> names;
    std::size_t lastFound = 0;
    std::vector<StorageRow> rows;
    RowsByOffset rowsOfTensor;
    std::uint64_t chunkBudget = 0;     ///< a pickle may mention one list of chunks a million times
    std::array<KnownPath, 1024> paths; ///< by the last bits of the node
};

} // namespace cairn::formats::dcp
