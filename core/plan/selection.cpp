// SPDX-License-Identifier: Apache-2.0
#include "core/plan/selection.h"

#include "core/base/counted.h"
#include "core/base/glob.h"
#include "core/base/visible_text.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

constexpr std::array kRoles = {Role::Weight,    Role::Buffer, Role::Optimizer,     Role::Ema,
                               Role::Scheduler, Role::Rng,    Role::TrainingState, Role::Other};

/// Determines whether all tensors in a value are removed; shared values are examined once.
class TensorLookup {
public:
    TensorLookup(const Checkpoint& checkpoint, const Selection& selection)
        : m_checkpoint(checkpoint), m_selection(selection) {}

    /// The value contains tensors, and all of them are removed.
    bool isEmptied(const Value& value) {
        const Found found = find(value);
        return found.removed && !found.kept;
    }

    bool hasTensors(const Value& value) {
        const Found found = find(value);
        return found.removed || found.kept;
    }

private:
    struct Found {
        bool removed = false;
        bool kept = false;
    };

    Found find(const Value& value) {
        if (const TensorIndex* tensor = value.asTensor()) {
            const bool removed = m_selection.strips(m_checkpoint.tensor(*tensor).role);
            return {removed, !removed};
        }
        if (!value.isContainer()) {
            return {};
        }
        if (const auto known = m_seen.find(value.identity()); known != m_seen.end()) {
            return known->second;
        }
        Found found;
        for (const ValueItem& item : value.items()) {
            const Found inner = find(item.value);
            found.removed = found.removed || inner.removed;
            found.kept = found.kept || inner.kept;
        }
        m_seen.emplace(value.identity(), found);
        return found;
    }

    const Checkpoint& m_checkpoint;
    const Selection& m_selection;
    std::unordered_map<const void*, Found> m_seen;
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
    case Kind::Auto:
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
            return fail(ErrorCode::InvalidArgument, "Unknown tensor role")
                .butFound(verbatim(std::string(word)))
                .expecting(verbatim(rolesText({kRoles.begin(), kRoles.end()})))
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

std::vector<RoleContents> rolesIn(const Checkpoint& checkpoint, const Value* values) {
    std::vector<RoleContents> all;
    for (const Role role : kRoles) {
        all.push_back({role});
    }
    const auto of = [&all](Role role) -> RoleContents& {
        return *std::ranges::find(all, role, &RoleContents::role);
    };
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        RoleContents& contents = of(tensor.role);
        ++contents.tensors;
        contents.bytes += tensor.aliasOf ? 0 : tensor.bytes();
    }
    if (values != nullptr && values->kind() == ValueKind::Dict) {
        const Selection everything;
        TensorLookup lookup(checkpoint, everything);
        for (const ValueItem& item : values->items()) {
            const auto role = names::roleOfKey(names::lowered(keyText(item.key)));
            if (role && !lookup.hasTensors(item.value)) {
                of(*role).values = true;
            }
        }
    }
    std::erase_if(all, [](const RoleContents& each) { return each.tensors == 0 && !each.values; });
    return all;
}

Value stripValues(const Checkpoint& checkpoint, const Value& values, const Selection& selection) {
    const ValueNode* node = values.asNode();
    if (selection.without.empty() || node == nullptr || node->kind != ValueKind::Dict) {
        return values;
    }
    ValueNode kept = *node;
    TensorLookup lookup(checkpoint, selection);
    std::erase_if(kept.items, [&](const ValueItem& item) {
        const auto role = names::roleOfKey(names::lowered(keyText(item.key)));
        return lookup.isEmptied(item.value) ||
               (role && selection.strips(*role) && !lookup.hasTensors(item.value));
    });
    return Value::container(std::move(kept));
}

bool isDeployable(Role role) {
    return isModelRole(role);
}

std::vector<OmittedTensors> findOmitted(const Checkpoint& checkpoint, const Selection& selection,
                                        const std::vector<TensorIndex>& chosen) {
    std::vector<bool> written(checkpoint.tensors().size(), false);
    for (const TensorIndex index : chosen) {
        written[index.position()] = true;
    }
    std::vector<OmittedTensors> all;
    for (const Role role : kRoles) {
        all.push_back({role});
    }
    for (std::size_t i = 0; i < written.size(); ++i) {
        const TensorEntry& tensor = checkpoint.tensors()[i];
        if (!written[i] && inSubtree(tensor.name, selection.subtree)) {
            OmittedTensors& left = *std::ranges::find(all, tensor.role, &OmittedTensors::role);
            ++left.tensors;
            left.bytes += tensor.aliasOf ? 0 : tensor.bytes();
            left.byName = left.byName || tensor.roleBasis == RoleBasis::Name;
        }
    }
    std::erase_if(all, [](const OmittedTensors& left) { return left.tensors == 0; });
    return all;
}

Sentence omittedText(const OmittedTensors& left) {
    return sentence("%1: %2, %3%4", roleName(left.role), counting(left.tensors, "tensor"),
                    amount(formatBytes(left.bytes)),
                    left.byName ? Sentence(" (by name only)") : "");
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
        const bool wanted = selection.kind == Selection::Kind::All ||
                            (selection.isWeights() && isDeployable(tensor.role)) ||
                            (glob && glob->matches(tensor.name));
        if (wanted && !selection.strips(tensor.role) && inSubtree(tensor.name, selection.subtree)) {
            chosen.emplace_back(i);
        }
    }
    return chosen;
}

} // namespace cairn
