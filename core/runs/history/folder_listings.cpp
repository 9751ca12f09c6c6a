// SPDX-License-Identifier: Apache-2.0
//
// What is read once for all runs of an experiment: the folders above them and what those hold.
#include "core/model/names/file_names.h"
#include "core/runs/history/history.h"

#include <mutex>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kMaxListed = 200'000; ///< entries of a folder

} // namespace

Result<std::shared_ptr<const FolderListings::Listed>>
FolderListings::list(const std::filesystem::path& path) {
    const std::scoped_lock lock(m_mutex);
    if (const auto known = m_listed.find(path); known != m_listed.end()) {
        return known->second;
    }
    const auto listed = [&]() -> Result<std::shared_ptr<const Listed>> {
        CAIRN_TRY(const FolderPtr folder, Folder::open(path));
        CAIRN_TRY(std::vector<FolderEntry> entries, folder->list(kMaxListed));
        return std::make_shared<const Listed>(Listed{folder, std::move(entries)});
    }();
    return m_listed.emplace(path, listed).first->second;
}

std::vector<HeldRun> FolderListings::runsIn(const FoundHistory& file, const CancelToken& cancel) {
    if (file.reader->runsIn == nullptr) {
        return {};
    }
    const std::scoped_lock lock(m_mutex);
    const auto [at, isNew] = m_runs.try_emplace(file.candidate.path);
    if (isNew) {
        if (auto runs = file.reader->runsIn(file.candidate, cancel)) {
            at->second = *std::move(runs);
        }
    }
    return at->second;
}

std::vector<ResumedFolder> FolderListings::resumedIn(const std::filesystem::path& parent,
                                                     const CancelToken& cancel) {
    const std::scoped_lock lock(m_resumedMutex);
    if (const auto known = m_resumed.find(parent); known != m_resumed.end()) {
        return known->second;
    }
    auto found = findResumedFolders(parent, *this, cancel);
    return found ? m_resumed.emplace(parent, *std::move(found)).first->second
                 : std::vector<ResumedFolder>();
}

} // namespace cairn
