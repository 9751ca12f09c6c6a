// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/checked.h"
#include "core/base/typed_index.h"
#include "core/io/folder.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The plain values of a checkpoint: its variables without dimensions, and names from its object
/// graph.
namespace cairn::formats::tensorflow {

inline constexpr std::size_t kMaxScalars = 100'000;

struct ScalarValue {
    std::string path; ///< "optimizer/iterations"
    TensorIndex tensor;
};

/// The object graph's string.
struct GraphPlace {
    FolderPtr folder;
    std::string file;
    TensorEntry tensor; ///< with one piece
    std::shared_ptr<const PieceCodec> codec;
};

/// {"optimizer": {"iterations": …}, "global_step": …, "object_graph": {"objects": 12, "names":
/// {key: the variable's name in its layer}}}. Path components are joined if a variable has both a
/// value and variables below it. In place of an unreadable graph is an unreadableValue(). Fails:
/// Cancelled.
Result<LoadedValues> valuesOf(std::span<const ScalarValue> scalars,
                              const std::optional<GraphPlace>& graph, const CancelToken& cancel);

/// TrackableObjectGraph: its number of nodes, and for each variable its checkpoint key and full
/// name. Empty: damaged.
struct ObjectGraph {
    std::size_t objects = 0;
    std::vector<std::pair<std::string, std::string>> names;
};
std::optional<ObjectGraph> parseObjectGraph(std::span<const std::byte> message);

} // namespace cairn::formats::tensorflow
