// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/within_checkpoint.h"

#include "core/io/folder.h"
#include "core/runs/scan/experiment_scan.h"

#include <set>
#include <string>

namespace cairn {
namespace {

constexpr std::size_t kDeepest = 16;

class Search {
public:
    Search(const Checkpoint& checkpoint, const CancelToken& cancel)
        : m_root(checkpoint.path()), m_cancel(cancel) {
        for (const CheckpointFile& file : checkpoint.files()) {
            std::filesystem::path path = file.openAs.empty() ? file.path : file.openAs;
            for (; !path.empty(); path = path.parent_path()) {
                m_used.insert(path.lexically_normal().string());
            }
        }
    }

    std::vector<std::filesystem::path> run() {
        if (const auto folder = Folder::open(m_root)) {
            search(**folder, {}, 0);
        }
        return std::move(m_found);
    }

private:
    void search(const Folder& folder, const std::string& relative, std::size_t depth) {
        const auto entries = folder.list();
        if (!entries || depth > kDeepest) {
            return;
        }
        for (const FolderEntry& entry : *entries) {
            if (m_cancel.cancelled()) {
                return;
            }
            const std::string below = relative.empty() ? entry.name : relative + "/" + entry.name;
            const bool isFolder = entry.kind == EntryKind::Folder;
            if (!isFolder && entry.kind != EntryKind::File) {
                continue;
            }
            if (!m_used.contains(below)) {
                add(m_root / below);
            } else if (const auto inner = isFolder ? folder.openFolder(entry.name)
                                                   : Result<FolderPtr>(FolderPtr())) {
                if (*inner != nullptr) {
                    search(**inner, below, depth + 1);
                }
            }
        }
    }

    /// Adds the checkpoints that the path is or contains.
    void add(const std::filesystem::path& path) {
        const auto experiment = scanExperiment(path, m_cancel);
        if (!experiment) {
            return;
        }
        for (const ScannedRun& run : experiment->runs) {
            for (const ScannedCheckpoint& each : run.checkpoints) {
                if (!each.isLink() && !each.format.empty()) {
                    m_found.push_back(each.path);
                }
            }
        }
    }

    std::filesystem::path m_root;
    const CancelToken& m_cancel;
    std::set<std::string> m_used; ///< files of the checkpoint and their folders, below the root
    std::vector<std::filesystem::path> m_found;
};

} // namespace

std::vector<std::filesystem::path> checkpointsWithin(const Checkpoint& checkpoint,
                                                     const CancelToken& cancel) {
    return Search(checkpoint, cancel).run();
}

} // namespace cairn
