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

struct TreeKey {
    std::string text;
    bool isPosition = false; ///< in a list or tuple
};

/// A leaf of the saved tree, as `_METADATA` shows.
struct Leaf {
    std::string name; ///< the keys joined with dots: the array's name
    std::vector<TreeKey> keys;
    std::string type;   ///< "jax.Array", "np.ndarray", "scalar", "string", "None", "Dict", "List"
    bool stored = true; ///< false: it exists only here
    std::optional<TensorIndex> tensor; ///< that holds it; the caller's to find
};

/// The tree in `_METADATA`, read member by member: 1e5 of them as one tree of JSON values cost as
/// much as everything else together.
class TreeMetadata {
public:
    /// To parse the file with.
    [[nodiscard]] JsonMemberSink sink();

    /// What the rest of the file states. Fails: OrbaxBadMetadata.
    Result<void> finish(const JsonValue& root);

    std::vector<Leaf> leaves;
    std::optional<bool> storesEveryChunk;
};

/// The leaves as nested dicts and lists; `valueOf` gives each leaf's value (nothing: left out).
Value nestedValues(const std::vector<Leaf>& leaves,
                   const std::function<std::optional<Value>(const Leaf&)>& valueOf);

/// What a tree is made of, to be put into a dict: the items of one whose root is a list or a tuple
/// under their positions.
std::vector<ValueItem> itemsByKey(const Value& root);

} // namespace cairn::formats::orbax
