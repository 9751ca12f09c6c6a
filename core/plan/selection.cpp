// SPDX-License-Identifier: Apache-2.0
#include "core/plan/selection.h"

#include "core/base/glob.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

namespace cairn {
namespace {

constexpr std::array kRoles = {Role::Weight,    Role::Buffer, Role::Optimizer,     Role::Ema,
                               Role::Scheduler, Role::Rng,    Role::TrainingState, Role::Other};

/// Which of a value's tensors stay and which go; shared nodes are looked at once.
class Looker {
public:
    Looker(const Checkpoint& checkpoint, const Selection& selection)
        : m_checkpoint(checkpoint), m_selection(selection) {}

    void look(const Value& value) {
        if (const TensorIndex* tensor = value.asTensor()) {
            (m_selection.strips(m_checkpoint.tensor(*tensor).role) ? gone : stays) = true;
        } else if (value.isContainer() && m_seen.insert(value.identity()).second) {
            for (const ValueItem& item : value.items()) {
                look(item.value);
            }
        }
    }

    bool gone = false;
    bool stays = false;

private:
    const Checkpoint& m_checkpoint;
    const Selection& m_selection;
    std::unordered_set<const void*> m_seen;
};

} // namespace

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

bool Selection::strips(Role role) const {
    return std::ranges::find(without, role) != without.end();
}

Result<std::vector<Role>> parseRoles(std::string_view text) {
    std::vector<Role> roles;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view word = text.substr(0, comma);
        const auto* role = std::ranges::find(kRoles, word, roleName);
        if (role == kRoles.end()) {
            return fail(ErrorCode::InvalidArgument, "No such role of tensors")
                .butFound(std::string(word))
                .expecting(rolesText({kRoles.begin(), kRoles.end()}))
                .withHint("`cairn-cli ls PATH` shows the role of each tensor");
        }
        roles.push_back(*role);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return roles;
}

std::string rolesText(const std::vector<Role>& roles) {
    std::string text;
    for (const Role role : roles) {
        text += (text.empty() ? "" : ",") + std::string(roleName(role));
    }
    return text;
}

Value stripValues(const Checkpoint& checkpoint, const Value& values, const Selection& selection) {
    const ValueNode* node = values.asNode();
    if (selection.without.empty() || node == nullptr || node->kind != ValueKind::Dict) {
        return values;
    }
    ValueNode kept = *node;
    std::erase_if(kept.items, [&](const ValueItem& item) {
        if (selection.strips(roleFromName(keyText(item.key)))) {
            return true;
        }
        Looker looker(checkpoint, selection);
        looker.look(item.value);
        return looker.gone && !looker.stays;
    });
    return Value::container(std::move(kept));
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
        if (wanted && !selection.strips(tensor.role) && inSubtree(tensor.name, selection.subtree)) {
            chosen.emplace_back(i);
        }
    }
    return chosen;
}

} // namespace cairn
