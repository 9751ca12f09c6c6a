// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/typed_index.h"
#include "core/codec/json/json_value.h"
#include "core/model/value.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Private to this folder.
namespace cairn::formats::orbax {

/// The name of a tree that is one array, without keys.
inline constexpr std::string_view kRootArray = "array";

struct TreeKey {
    std::string text;
    bool isPosition = false; ///< an index in a list or tuple
};

/// A leaf of the saved tree, from `_METADATA`.
struct Leaf {
    std::string name; ///< name of the array: the keys joined with dots, or kRootArray
    std::vector<TreeKey> keys;
    std::string type;   ///< "jax.Array", "np.ndarray", "scalar", "string", "None", "Dict", "List"
    bool stored = true; ///< false: has no array
    std::optional<TensorIndex> tensor; ///< set by the caller
};

/// The tree in `_METADATA`, read member by member: 1e5 members as a tree of JSON values would cost
/// as much as everything else together.
class TreeMetadata {
public:
    /// The sink for parsing the file.
    [[nodiscard]] JsonMemberSink sink();

    /// Reads the rest of the file. Fails: OrbaxBadMetadata.
    Result<void> finish(const JsonValue& root);

    std::vector<Leaf> leaves;
    std::optional<bool> storesEveryChunk;
};

/// The leaves as nested dicts and lists, or the value of a tree that is one leaf; `valueOf` gives
/// each leaf's value (empty: skipped).
Value nestedValues(const std::vector<Leaf>& leaves,
                   const std::function<std::optional<Value>(const Leaf&)>& valueOf);

/// The items of a tree for insertion into a dict; those of a list or tuple get their positions as
/// keys.
std::vector<ValueItem> itemsByKey(const Value& root);

} // namespace cairn::formats::orbax
