// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/space.h"

#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/runs/retention/saved_files.h"
#include "core/runs/scan/scan_relations.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSpaceLevels = 64;

struct FileKeyHash {
    std::size_t operator()(const FileKey& key) const {
        return std::hash<std::uint64_t>()(key.inode * 0x9E3779B97F4A7C15U ^ key.device);
    }
};

std::string below(const fs::path& root, const fs::path& path) {
    const fs::path relative = path.lexically_relative(root);
    return relative == "." ? std::string() : relative.string();
}

class Walk {
public:
    Walk(const Experiment& experiment, const CancelToken& cancel,
         const std::function<void(std::size_t)>& progress)
        : m_root(experiment.path), m_cancel(cancel), m_progress(progress) {
        m_tree.path = experiment.path;
        for (const ScannedRun& run : experiment.runs) {
            addRun(run);
        }
    }

    Result<SpaceTree> walk(const Experiment& experiment) {
        SpaceNode root;
        root.name = experiment.name;
        m_tree.nodes.push_back(std::move(root));
        mark(0, {});
        const auto folder = Folder::open(m_root);
        if (!folder && !experiment.isCheckpoint) {
            return folder.error();
        }
        if (folder) {
            m_queue.push_back({0, {}, isSave(0), {}, 0});
        } else { // a single file, or a checkpoint named by the common part of its files
            addSavedFiles();
        }
        while (!m_queue.empty()) {
            CAIRN_CHECK(m_cancel.check());
            const Pending next = std::move(m_queue.front());
            m_queue.pop_front();
            visit(**folder, next);
        }
        count();
        return std::move(m_tree);
    }

private:
    struct Pending {
        std::uint32_t node = 0;
        std::string relative; ///< to the root
        bool inSave = false;
        std::vector<FolderEntry> entries; ///< of a checkpoint of several files: these
        std::size_t level = 0;
    };
    struct Row {
        FileKey key;
        std::uint64_t size = 0;
        std::uint32_t node = 0;
        /// Files with several names count for the first of: a name that a checkpoint's reader
        /// follows (to a blob of the Hugging Face cache), a checkpoint, anything else.
        enum class Of : std::uint8_t { LinkingSave, Save, Other } of = Of::Other;
    };

    void addRun(const ScannedRun& run) {
        const auto number = static_cast<std::uint32_t>(m_tree.runs.size());
        m_runs.emplace(below(m_root, run.path), number);
        m_tree.runs.push_back({run.id, run.name, run.path});
        for (const ScannedCheckpoint& each : run.checkpoints) {
            if (each.isLink()) {
                continue;
            }
            const auto at = static_cast<std::uint32_t>(m_tree.saves.size());
            m_saves.emplace(below(m_root, each.path), at);
            m_names.push_back(each.name);
            m_tree.saves.push_back({each.path, each.roles, number});
            for (const fs::path& file : filesOfSave(each.path)) {
                m_parts.emplace(below(m_root, file), at);
            }
        }
    }

    [[nodiscard]] bool isSave(std::uint32_t node) const {
        return m_tree.nodes[node].kind == SpaceKind::Checkpoint;
    }

    /// Sets the kind of a folder or file by its path.
    void mark(std::uint32_t node, const std::string& relative) {
        SpaceNode& each = m_tree.nodes[node];
        if (const auto save = m_saves.find(relative); save != m_saves.end()) {
            each.kind = SpaceKind::Checkpoint;
            each.detail = save->second;
            each.name = node == 0 ? each.name : m_names[save->second];
        } else if (const auto run = m_runs.find(relative); run != m_runs.end()) {
            each.kind = SpaceKind::Run;
            each.detail = run->second;
        }
    }

    std::uint32_t add(std::uint32_t parent, const FolderEntry& entry, const std::string& relative) {
        const auto at = static_cast<std::uint32_t>(m_tree.nodes.size());
        SpaceNode node;
        node.name = entry.name;
        node.kind = entry.kind == EntryKind::Folder ? SpaceKind::Folder : SpaceKind::File;
        node.parent = parent;
        m_tree.nodes.push_back(std::move(node));
        ++m_tree.nodes[parent].childCount;
        mark(at, relative);
        return at;
    }

    void addSavedFiles() {
        const SavedFiles saved = listSavedFiles(m_root);
        m_tree.nodes[0].firstChild = 1;
        m_tree.nodes[0].parts = saved.rows.size() > 1;
        for (const SavedFiles::Row& row : saved.rows) {
            const std::uint32_t at =
                m_tree.nodes[0].parts ? add(0, {row.name, row.kind, row.identity}, "/") : 0;
            m_rows.push_back(
                {{row.identity.device, row.identity.inode}, row.identity.size, at, Row::Of::Save});
        }
    }

    void visit(const Folder& root, const Pending& next) {
        m_tree.nodes[next.node].firstChild = static_cast<std::uint32_t>(m_tree.nodes.size());
        if (!next.entries.empty()) {
            for (const FolderEntry& entry : next.entries) {
                addEntry(root, next, entry);
            }
            return;
        }
        const auto opened = root.openFolder(next.relative.empty() ? "." : next.relative);
        const auto entries =
            entriesOf(opened, std::min(Folder::kMostEntries, kMaxSpaceEntries - m_entries));
        if (!entries || next.level > kSpaceLevels) {
            if (!entries && entries.error().code == ErrorCode::LimitExceeded) {
                m_queue.clear(); // one notice suffices
            }
            m_tree.notices.push_back(
                {Severity::Warning,
                 entries ? Error(fail(ErrorCode::LimitExceeded, "Folders are nested too deeply")
                                     .inFile((m_root / next.relative).string()))
                         : entries.error()});
            return;
        }
        m_entries += entries->size();
        if (m_progress) {
            m_progress(m_entries);
        }
        addEntries(root, next, *entries);
    }

    void addEntries(const Folder& root, const Pending& next,
                    const std::vector<FolderEntry>& entries) {
        std::unordered_map<std::uint32_t, std::size_t> places; // of a save in m_queue
        std::vector<Pending> saves;
        for (const FolderEntry& entry : entries) {
            const auto part = m_parts.find(childOf(next.relative, entry.name));
            if (part == m_parts.end()) {
                addEntry(root, next, entry);
                continue;
            }
            const auto [at, isNew] = places.emplace(part->second, saves.size());
            if (isNew) {
                const std::uint32_t node = add(next.node, entry, "/");
                m_tree.nodes[node].kind = SpaceKind::Checkpoint;
                m_tree.nodes[node].detail = part->second;
                m_tree.nodes[node].name = m_names[part->second];
                m_tree.nodes[node].parts = true;
                saves.push_back({node, next.relative, true, {}, next.level + 1});
            }
            saves[at->second].entries.push_back(entry);
        }
        std::ranges::move(saves, std::back_inserter(m_queue));
    }

    static std::string childOf(const std::string& relative, const std::string& name) {
        return relative.empty() ? name : relative + "/" + name;
    }

    void addEntry(const Folder& root, const Pending& next, const FolderEntry& entry) {
        const std::string relative = childOf(next.relative, entry.name);
        if (entry.kind == EntryKind::Folder) {
            const std::uint32_t node = add(next.node, entry, relative);
            m_queue.push_back({node, relative, next.inSave || isSave(node), {}, next.level + 1});
            return;
        }
        FileIdentity identity = entry.identity;
        const bool isLink = entry.kind == EntryKind::Link;
        if (isLink && next.inSave) {
            const auto target = root.openFile(relative);
            if (!target) {
                return;
            }
            identity = (*target)->identity();
        } else if (entry.kind != EntryKind::File) {
            return;
        }
        const std::uint32_t node = add(next.node, entry, relative);
        m_rows.push_back({{identity.device, identity.inode},
                          identity.size,
                          node,
                          isLink                        ? Row::Of::LinkingSave
                          : next.inSave || isSave(node) ? Row::Of::Save
                                                        : Row::Of::Other});
    }

    /// Counts each file once, sums up, and puts the children of each node in order of size.
    void count() {
        std::unordered_set<FileKey, FileKeyHash> seen;
        seen.reserve(m_rows.size());
        for (const Row::Of of : {Row::Of::LinkingSave, Row::Of::Save, Row::Of::Other}) {
            for (const Row& row : m_rows) {
                if (row.of == of) {
                    SpaceNode& node = m_tree.nodes[row.node];
                    (seen.insert(row.key).second ? node.bytes : node.shared) += row.size;
                    ++node.files;
                    node.other = of == Row::Of::Other;
                }
            }
        }
        auto& nodes = m_tree.nodes;
        for (std::size_t i = nodes.size(); i-- > 0;) {
            SpaceNode& node = nodes[i];
            node.checkpoints += node.kind == SpaceKind::Checkpoint ? 1 : 0;
            if (node.kind == SpaceKind::Folder && node.files > 0) {
                const auto first = nodes.begin() + node.firstChild;
                node.other = std::all_of(first, first + node.childCount,
                                         [](const SpaceNode& child) { return child.other; });
            }
            if (i > 0) {
                SpaceNode& parent = nodes[node.parent];
                parent.bytes += node.bytes;
                parent.shared += node.shared;
                parent.files += node.files;
                parent.checkpoints += node.checkpoints;
            }
        }
        sort();
    }

    void sort() {
        const auto& old = m_tree.nodes;
        std::vector<std::uint32_t> order{0};
        std::vector<SpaceNode> nodes;
        nodes.reserve(old.size());
        nodes.push_back(old.front());
        order.reserve(old.size());
        std::vector<std::uint32_t> children;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const SpaceNode& before = old[order[i]];
            children.clear();
            for (std::uint32_t k = 0; k < before.childCount; ++k) {
                children.push_back(before.firstChild + k);
            }
            std::ranges::stable_sort(children, std::ranges::greater(),
                                     [&](std::uint32_t child) { return old[child].bytes; });
            nodes[i].firstChild = static_cast<std::uint32_t>(nodes.size());
            for (const std::uint32_t child : children) {
                order.push_back(child);
                nodes.push_back(old[child]);
                nodes.back().parent = static_cast<std::uint32_t>(i);
            }
        }
        m_tree.nodes = std::move(nodes);
    }

    fs::path m_root;
    const CancelToken& m_cancel;
    const std::function<void(std::size_t)>& m_progress;
    SpaceTree m_tree;
    std::unordered_map<std::string, std::uint32_t> m_runs;  ///< by path below the root
    std::unordered_map<std::string, std::uint32_t> m_saves; ///< likewise
    std::unordered_map<std::string, std::uint32_t> m_parts; ///< files of saves of several files
    std::vector<std::string> m_names;                       ///< parallel to SpaceTree::saves
    std::deque<Pending> m_queue;
    std::vector<Row> m_rows;
    std::size_t m_entries = 0;
};

} // namespace

std::string_view spaceKindName(SpaceKind kind) {
    constexpr std::array<std::string_view, 4> kNames{"folder", "run", "checkpoint", "file"};
    return kNames[static_cast<std::size_t>(kind)];
}

fs::path SpaceTree::pathOf(std::uint32_t node) const {
    if (nodes[node].kind == SpaceKind::Checkpoint) {
        return saves[nodes[node].detail].path;
    }
    if (nodes[node].kind == SpaceKind::Run) {
        return runs[nodes[node].detail].path;
    }
    if (node == 0) {
        return path;
    }
    const std::uint32_t parent = nodes[node].parent;
    const fs::path above = pathOf(parent);
    return (nodes[parent].parts ? above.parent_path() : above) / nodes[node].name;
}

std::optional<std::uint32_t> SpaceTree::find(const fs::path& wanted) const {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const SpaceNode& node = nodes[i];
        if ((node.kind == SpaceKind::Checkpoint && saves[node.detail].path == wanted) ||
            (node.kind == SpaceKind::Run && runs[node.detail].path == wanted)) {
            return i;
        }
    }
    return path == wanted && !nodes.empty() ? std::optional(std::uint32_t{0}) : std::nullopt;
}

Result<SpaceTree> measureSpace(const Experiment& experiment, const CancelToken& cancel,
                               const std::function<void(std::size_t)>& progress) {
    return Walk(experiment, cancel, progress).walk(experiment);
}

bool updateRoles(SpaceTree& tree, const Experiment& experiment) {
    std::unordered_map<std::string, const RoleBytes*> known;
    for (const ScannedRun& run : experiment.runs) {
        for (const ScannedCheckpoint& each : run.checkpoints) {
            known.emplace(each.path.string(), &each.roles);
        }
    }
    bool changed = false;
    for (SpaceTree::Save& save : tree.saves) {
        const auto at = known.find(save.path.string());
        if (at != known.end() && *at->second != save.roles) {
            save.roles = *at->second;
            changed = true;
        }
    }
    return changed;
}

std::vector<std::uint32_t> largestOf(const SpaceTree& tree, std::uint32_t node, std::size_t count) {
    std::vector<std::uint32_t> found;
    std::vector<std::uint32_t> open{node};
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        const SpaceNode& each = tree.nodes[at];
        const bool leaf = each.kind == SpaceKind::File ||
                          (each.kind == SpaceKind::Checkpoint && each.checkpoints == 1 &&
                           (at != node || each.childCount == 0));
        if (leaf) {
            found.push_back(at);
            continue;
        }
        for (std::uint32_t k = 0; k < each.childCount; ++k) {
            open.push_back(each.firstChild + k);
        }
    }
    const auto larger = [&](std::uint32_t a, std::uint32_t b) {
        return tree.nodes[a].bytes != tree.nodes[b].bytes
                   ? tree.nodes[a].bytes > tree.nodes[b].bytes
                   : a < b;
    };
    const std::size_t kept = std::min(count, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(),
                      larger);
    found.resize(kept);
    return found;
}

} // namespace cairn
