// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/space_map.h"

#include "core/model/module_tree.h"
#include "ui/models/role_color.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

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

/// The nodes of a ModuleTree, breadth first. Equal tensors of a module with a million of them would
/// all be smaller than a pixel: ranges of them are tiles instead.
class ModuleMaker {
public:
    ModuleMaker(const ModuleTree& modules, SpaceMap& map) : m_modules(modules), m_map(map) {}

    Result<void> make(const CancelToken& cancel) {
        m_map.nodeOf.assign(m_map.checkpoint->tensors().size(), SpaceMap::kNone);
        m_map.nodes.reserve(m_modules.nodes.size());
        m_children.reserve(m_modules.nodes.size());
        const ModuleNode& root = m_modules.root();
        m_map.nodes.push_back({{}, root.bytes, 0, 0, 0, SpaceMap::kNone, Fill::Other, false});
        m_children.push_back({root.firstChild, root.childCount});
        for (std::uint32_t i = 0; i < m_map.nodes.size(); ++i) {
            if (i % 4096 == 0) {
                CAIRN_CHECK(cancel.check());
            }
            m_map.nodes[i].firstChild = static_cast<std::uint32_t>(m_map.nodes.size());
            const Children children = m_children[i];
            children.count > SpaceMap::kMostTiles ? addRanges(i, children)
                                                  : addModules(i, children);
            m_map.nodes[i].childCount =
                static_cast<std::uint32_t>(m_map.nodes.size()) - m_map.nodes[i].firstChild;
        }
        return {};
    }

private:
    /// Consecutive nodes of the modules.
    struct Children {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    void addModules(std::uint32_t parent, Children children) {
        m_order.resize(children.count);
        std::iota(m_order.begin(), m_order.end(), children.first);
        std::ranges::stable_sort(m_order, std::ranges::greater(),
                                 [&](std::uint32_t child) { return m_modules.nodes[child].bytes; });
        for (const std::uint32_t child : m_order) {
            const ModuleNode& each = m_modules.nodes[child];
            SpaceMap::Node node{each.name, each.bytes,      parent,      0,
                                0,         SpaceMap::kNone, Fill::Other, false};
            if (each.tensor) {
                node.source = static_cast<std::uint32_t>(each.tensor->position());
                node.fill = fillOf(m_map.checkpoint->tensors()[node.source].role);
                m_map.nodeOf[node.source] = static_cast<std::uint32_t>(m_map.nodes.size());
            }
            m_map.nodes.push_back(node);
            m_children.push_back({each.firstChild, each.childCount});
        }
    }

    void addRanges(std::uint32_t parent, Children children) {
        const std::uint32_t most = rangeSize(children.count);
        std::vector<std::pair<std::uint64_t, Children>> ranges; // with their bytes
        for (std::uint32_t at = 0; at < children.count; at += most) {
            const Children range{children.first + at, std::min(most, children.count - at)};
            std::uint64_t bytes = 0;
            for (std::uint32_t k = 0; k < range.count; ++k) {
                bytes += m_modules.nodes[range.first + k].bytes;
            }
            ranges.emplace_back(bytes, range);
        }
        std::ranges::stable_sort(ranges, std::ranges::greater(),
                                 [](const auto& each) { return each.first; });
        for (const auto& [bytes, range] : ranges) {
            const std::string_view first = m_modules.nodes[range.first].name;
            const std::string_view last = m_modules.nodes[range.first + range.count - 1].name;
            m_map.rangeNames.push_back(std::string(first) + " … " + std::string(last));
            m_map.nodes.push_back({m_map.rangeNames.back(), bytes, parent, 0, 0, SpaceMap::kNone,
                                   Fill::Other, false, true});
            m_children.push_back(range);
        }
    }

    /// Of 1, 2, 5, 10, 20 and so on the least that makes no more than kRanges of them.
    static std::uint32_t rangeSize(std::uint32_t count) {
        constexpr std::uint64_t kRanges = 32;
        std::uint64_t size = 1;
        for (int step = 0; size * kRanges < count; ++step) {
            size = step % 3 == 1 ? size / 2 * 5 : size * 2;
        }
        return static_cast<std::uint32_t>(size);
    }

    const ModuleTree& m_modules;
    SpaceMap& m_map;
    std::vector<Children> m_children; ///< of the nodes of the map
    std::vector<std::uint32_t> m_order;
};

} // namespace

std::optional<TensorIndex> SpaceMap::tensorOf(std::uint32_t node) const {
    const bool is = checkpoint != nullptr && node < nodes.size() && nodes[node].source != kNone;
    return is ? std::optional(TensorIndex(std::size_t{nodes[node].source})) : std::nullopt;
}

std::vector<std::uint32_t> SpaceMap::largestBelow(std::uint32_t node) const {
    if (tree) {
        return largestOf(*tree, nodes[node].source, kLargest);
    }
    std::vector<std::uint32_t> groups{node};
    std::vector<std::uint32_t> found; // tensors
    while (!groups.empty()) {
        const std::uint32_t at = groups.back();
        groups.pop_back();
        if (nodes[at].source != kNone) {
            found.push_back(nodes[at].source);
        }
        for (std::uint32_t k = 0; k < nodes[at].childCount; ++k) {
            groups.push_back(nodes[at].firstChild + k);
        }
    }
    const std::size_t kept = std::min(kLargest, found.size());
    const auto bytesOf = [&](std::uint32_t tensor) { // a node has also what is below its name
        const TensorEntry& each = checkpoint->tensors()[tensor];
        return each.aliasOf ? 0 : each.bytes();
    };
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(kept),
                              [&](std::uint32_t a, std::uint32_t b) {
                                  return bytesOf(a) != bytesOf(b) ? bytesOf(a) > bytesOf(b) : a < b;
                              });
    found.resize(kept);
    return found;
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
    CAIRN_CHECK(ModuleMaker(modules, *map).make(cancel));
    colorGroups(*map);
    return SpaceMapPtr(std::move(map));
}

} // namespace cairn::ui
