// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/nearby_adapters.h"

#include "core/base/absolute_path.h"
#include "core/base/other_machine.h"
#include "core/io/folder.h"
#include "core/runs/scan/scan_names.h"
#include "core/runs/scan/scan_relations.h"

#include <system_error>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxAdapterConfig = std::uint64_t{1} << 20U;
constexpr std::size_t kMaxFolderEntries = 10'000; ///< of one folder
constexpr int kBelow = 3;                         ///< levels below the checkpoint or its run
constexpr int kBeside = 2;                        ///< levels below the folder around it

class AdapterSearch {
public:
    AdapterSearch(const fs::path& checkpoint, const CancelToken& cancel)
        : m_checkpoint(checkpoint), m_cancel(cancel) {}

    Result<void> walk(const fs::path& path, int levels) {
        CAIRN_CHECK(m_cancel.check());
        if (m_found.size() >= kMostNearbyAdapters || m_listed >= kMostAdapterFolders) {
            return {};
        }
        int& searched = m_levels.try_emplace(path, -1).first->second;
        if (levels <= searched) {
            return {};
        }
        searched = levels;
        ++m_listed;
        const auto entries = entriesOf(Folder::open(path), kMaxFolderEntries);
        if (!entries) {
            return {};
        }
        const bool isAdapter = std::ranges::any_of(*entries, isAdapterConfig);
        if (isAdapter && path != m_checkpoint) {
            add(path);
        }
        for (const FolderEntry& entry : *entries) {
            if (levels > 0 && entry.kind == EntryKind::Folder && !entry.name.starts_with('.') &&
                !isSkippedFolder(entry.name)) {
                CAIRN_CHECK(walk(path / entry.name, levels - 1));
            }
        }
        return {};
    }

    std::vector<NearbyAdapter> take() { return std::move(m_found); }

private:
    void add(const fs::path& path) {
        const bool known = std::ranges::find(m_found, path, &NearbyAdapter::path) != m_found.end();
        const auto text =
            known ? std::nullopt : smallText(path / kAdapterConfig, kMaxAdapterConfig);
        if (text && m_found.size() < kMostNearbyAdapters) {
            m_found.push_back({path, jsonText(*text, "peft_type").value_or(""),
                               jsonText(*text, "base_model_name_or_path").value_or("")});
        }
    }

    fs::path m_checkpoint;
    const CancelToken& m_cancel;
    std::map<fs::path, int> m_levels; ///< that were searched below a folder
    std::size_t m_listed = 0;
    std::vector<NearbyAdapter> m_found;
};

} // namespace

Result<std::vector<NearbyAdapter>> nearbyAdapters(const fs::path& checkpoint, const fs::path& run,
                                                  const CancelToken& cancel) {
    if (isOnOtherMachine(checkpoint)) {
        return std::vector<NearbyAdapter>(); // each of many folders would be a round trip
    }
    const fs::path own = absolutePath(checkpoint);
    AdapterSearch search(own, cancel);
    const auto around = [&search](const fs::path& path) -> Result<void> {
        CAIRN_CHECK(search.walk(path, kBelow));
        const fs::path parent = path.parent_path();
        return parent == path || parent == parent.root_path() ? Result<void>()
                                                              : search.walk(parent, kBeside);
    };
    CAIRN_CHECK(around(own));
    if (!run.empty()) {
        CAIRN_CHECK(around(absolutePath(run)));
    }
    return search.take();
}

} // namespace cairn
