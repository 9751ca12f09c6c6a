// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/space_map.h"

#include "core/model/module_tree.h"
#include "ui/pages/shards/role_color.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace cairn::ui {
namespace {

using Fill = SpaceMap::Fill;

/// Tensors in the colour of their group of roles.
Fill fillOf(Role role) {
    return static_cast<Fill>(roleGroup(role));
}

/// Groups take the colour of their largest child.
void colorGroups(SpaceMap& map) {
    auto& nodes = map.nodes;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (nodes[i].childCount > 0) {
            nodes[i].fill = nodes[nodes[i].firstChild].fill;
        } else if (nodes[i].bytes > 0) {
            map.fills[static_cast<std::size_t>(nodes[i].fill)] = true;
        }
    }
}

/// The nodes of a SpaceTree, breadth first.
class TreeMaker {
public:
    explicit TreeMaker(const SpaceTree& tree, SpaceMap& map) : m_tree(tree), m_map(map) {}

    Result<void> make(const CancelToken& cancel) {
        m_map.nodeOf.assign(m_tree.nodes.size(), SpaceMap::kNone);
        add(0, 0);
        for (std::uint32_t i = 0; i < m_map.nodes.size(); ++i) {
            if (i % 4096 == 0) {
                CAIRN_CHECK(cancel.check());
            }
            if (!m_map.nodes[i].part) {
                m_map.nodes[i].firstChild = static_cast<std::uint32_t>(m_map.nodes.size());
                addChildren(i);
                m_map.nodes[i].childCount =
                    static_cast<std::uint32_t>(m_map.nodes.size()) - m_map.nodes[i].firstChild;
            }
        }
        colorGroups(m_map);
        return {};
    }

private:
    void add(std::uint32_t source, std::uint32_t parent) {
        const SpaceNode& each = m_tree.nodes[source];
        const auto at = static_cast<std::uint32_t>(m_map.nodes.size());
        m_map.nodeOf[source] = at;
        if (each.kind == SpaceKind::Checkpoint) {
            m_map.saves.emplace(m_tree.saves[each.detail].path, at);
        }
        m_map.nodes.push_back({each.name, each.bytes, parent, 0, 0, source,
                               each.other ? Fill::Outside : Fill::Other, false});
    }

    /// What is drawn inside a node: folders that only structure a run are replaced by their
    /// content.
    void collect(std::uint32_t source, bool inRun) {
        const SpaceNode& each = m_tree.nodes[source];
        for (std::uint32_t k = 0; k < each.childCount; ++k) {
            const std::uint32_t child = each.firstChild + k;
            const SpaceNode& node = m_tree.nodes[child];
            if (inRun && node.kind == SpaceKind::Folder && !node.other) {
                collect(child, true);
            } else if (node.bytes > 0) {
                m_children.push_back(child);
            }
        }
    }

    void addChildren(std::uint32_t at) {
        const std::uint32_t source = m_map.nodes[at].source;
        const SpaceNode& each = m_tree.nodes[source];
        if (each.kind == SpaceKind::Checkpoint) {
            addParts(at);
            return;
        }
        m_children.clear();
        collect(source, each.kind == SpaceKind::Run);
        sortChildren();
        for (const std::uint32_t child : m_children) {
            add(child, at);
        }
    }

    void sortChildren() {
        std::ranges::stable_sort(m_children, std::ranges::greater(),
                                 [&](std::uint32_t child) { return m_tree.nodes[child].bytes; });
    }

    /// The checkpoints inside it, and its own files by role.
    void addParts(std::uint32_t at) {
        const std::uint32_t source = m_map.nodes[at].source;
        const SpaceNode& each = m_tree.nodes[source];
        m_children.clear();
        if (each.checkpoints > 1) {
            collectCheckpoints(source);
            sortChildren();
        }
        std::uint64_t own = each.bytes;
        for (const std::uint32_t child : m_children) {
            own -= m_tree.nodes[child].bytes;
        }
        const RoleBytes& roles = m_tree.saves[each.detail].roles;
        const std::array<std::uint64_t, 3> parts = split(own, roles);
        std::array<std::size_t, 3> order{0, 1, 2};
        std::ranges::stable_sort(order, std::ranges::greater(),
                                 [&](std::size_t i) { return parts[i]; });
        std::size_t next = 0;
        for (const std::size_t role : order) {
            for (; next < m_children.size() && m_tree.nodes[m_children[next]].bytes > parts[role];
                 ++next) {
                add(m_children[next], at);
            }
            if (parts[role] > 0) {
                m_map.nodes.push_back(
                    {each.name, parts[role], at, 0, 0, source, static_cast<Fill>(role), true});
            }
        }
        for (; next < m_children.size(); ++next) {
            add(m_children[next], at);
        }
    }

    void collectCheckpoints(std::uint32_t source) {
        const SpaceNode& each = m_tree.nodes[source];
        for (std::uint32_t k = 0; k < each.childCount; ++k) {
            const std::uint32_t child = each.firstChild + k;
            const SpaceNode& node = m_tree.nodes[child];
            if (node.kind == SpaceKind::Checkpoint && node.bytes > 0) {
                m_children.push_back(child);
            } else if (node.checkpoints > 0) {
                collectCheckpoints(child);
            }
        }
    }

    /// The bytes on disk by role: as the tensors' sizes are to each other; what the files have
    /// beside tensors is "other".
    static std::array<std::uint64_t, 3> split(std::uint64_t bytes, const RoleBytes& roles) {
        const std::array<std::uint64_t, 3> known{roles.weights, roles.optimizer, roles.other};
        const double sum = static_cast<double>(known[0]) + static_cast<double>(known[1]) +
                           static_cast<double>(known[2]);
        const double scale = std::min(1.0, sum > 0 ? static_cast<double>(bytes) / sum : 0.0);
        std::array<std::uint64_t, 3> parts{};
        std::uint64_t rest = bytes;
        for (const std::size_t role : {0U, 1U}) {
            parts[role] = std::min(
                rest, static_cast<std::uint64_t>(static_cast<double>(known[role]) * scale));
            rest -= parts[role];
        }
        parts[2] = rest;
        return parts;
    }

    const SpaceTree& m_tree;
    SpaceMap& m_map;
    std::vector<std::uint32_t> m_children;
};

} // namespace

std::optional<TensorIndex> SpaceMap::tensorOf(std::uint32_t node) const {
    const bool is = checkpoint != nullptr && node < nodes.size() && nodes[node].source != kNone;
    return is ? std::optional(TensorIndex(std::size_t{nodes[node].source})) : std::nullopt;
}

Result<SpaceMapPtr> SpaceMap::make(std::shared_ptr<const SpaceTree> tree,
                                   const CancelToken& cancel) {
    auto map = std::make_shared<SpaceMap>();
    map->tree = std::move(tree);
    CAIRN_CHECK(TreeMaker(*map->tree, *map).make(cancel));
    return SpaceMapPtr(std::move(map));
}

Result<SpaceMapPtr> SpaceMap::make(const CheckpointPtr& checkpoint, const CancelToken& cancel) {
    auto map = std::make_shared<SpaceMap>();
    map->checkpoint = checkpoint;
    const ModuleTree modules = buildModuleTree(*checkpoint);
    CAIRN_CHECK(cancel.check());
    const auto& tensors = checkpoint->tensors();
    map->nodeOf.assign(tensors.size(), kNone);
    map->nodes.reserve(modules.nodes.size());
    map->nodes.push_back({{}, modules.root().bytes, 0, 0, 0, kNone, Fill::Other, false});
    std::vector<std::uint32_t> origin{0};
    origin.reserve(modules.nodes.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < map->nodes.size(); ++i) {
        if (i % 4096 == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const ModuleNode& module = modules.nodes[origin[i]];
        order.resize(module.childCount);
        std::iota(order.begin(), order.end(), module.firstChild);
        std::ranges::stable_sort(order, std::ranges::greater(),
                                 [&](std::uint32_t child) { return modules.nodes[child].bytes; });
        map->nodes[i].firstChild = static_cast<std::uint32_t>(map->nodes.size());
        map->nodes[i].childCount = module.childCount;
        for (const std::uint32_t child : order) {
            const ModuleNode& each = modules.nodes[child];
            Node node{each.name, each.bytes, i, 0, 0, kNone, Fill::Other, false};
            if (each.tensor) {
                node.source = static_cast<std::uint32_t>(each.tensor->position());
                node.fill = fillOf(tensors[node.source].role);
                map->nodeOf[node.source] = static_cast<std::uint32_t>(map->nodes.size());
            }
            origin.push_back(child);
            map->nodes.push_back(node);
        }
    }
    colorGroups(*map);
    map->largest.resize(tensors.size());
    std::iota(map->largest.begin(), map->largest.end(), 0U);
    const std::size_t kept = std::min(kLargest, map->largest.size());
    const auto bytesOf = [&](std::uint32_t i) {
        return tensors[i].aliasOf ? 0 : tensors[i].bytes();
    };
    std::ranges::partial_sort(map->largest,
                              map->largest.begin() + static_cast<std::ptrdiff_t>(kept),
                              [&](std::uint32_t a, std::uint32_t b) {
                                  return bytesOf(a) != bytesOf(b) ? bytesOf(a) > bytesOf(b) : a < b;
                              });
    map->largest.resize(kept);
    map->largest.shrink_to_fit();
    return SpaceMapPtr(std::move(map));
}

} // namespace cairn::ui
