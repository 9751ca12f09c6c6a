// SPDX-License-Identifier: Apache-2.0
#include "core/plan/selection.h"

#include "core/base/glob.h"

#include <optional>

namespace cairn {

Selection Selection::parse(std::string_view text) {
    if (text == "weights") {
        return {Kind::Weights, {}, {}};
    }
    if (text == "all") {
        return {Kind::All, {}, {}};
    }
    return {Kind::Glob, std::string(text), {}};
}

std::string Selection::text() const {
    switch (kind) {
    case Kind::Weights:
        return "weights";
    case Kind::All:
        return "all";
    case Kind::Glob:
        break;
    }
    return glob;
}

bool isDeployable(Role role) {
    return role == Role::Weight || role == Role::Buffer;
}

bool inSubtree(std::string_view name, std::string_view subtree) {
    return subtree.empty() || name == subtree ||
           (name.size() > subtree.size() && name.starts_with(subtree) &&
            (name[subtree.size()] == '.' || name[subtree.size()] == '/'));
}

Result<std::vector<TensorIndex>> selectTensors(const Checkpoint& checkpoint,
                                               const Selection& selection) {
    std::optional<Glob> glob;
    if (selection.kind == Selection::Kind::Glob) {
        CAIRN_TRY(glob, Glob::parse(selection.glob));
    }
    std::vector<TensorIndex> chosen;
    const auto tensors = checkpoint.tensors();
    chosen.reserve(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorEntry& tensor = tensors[i];
        const bool wanted =
            selection.kind == Selection::Kind::All ||
            (selection.kind == Selection::Kind::Weights && isDeployable(tensor.role)) ||
            (glob && glob->matches(tensor.name));
        if (wanted && inSubtree(tensor.name, selection.subtree)) {
            chosen.emplace_back(i);
        }
    }
    return chosen;
}

} // namespace cairn
