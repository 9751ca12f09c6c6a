// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/facts/index_stamp.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace cairn {

/// CheckpointFacts of one experiment's checkpoints, by path and stamp; if the cache is disabled,
/// they are kept during this object's lifetime. examine() may be called from several threads.
class FactsCache {
public:
    FactsCache(const IndexCache& cache, const std::filesystem::path& experiment);

    /// The cached facts if the files are unchanged; else examineCheckpoint(), whose result is
    /// cached. Files that change in the meantime are not cached. Fails only with Cancelled.
    Result<CheckpointFacts> examine(const ScannedCheckpoint& checkpoint, const CancelToken& cancel);

    /// Stores everything that was examined since this object was created; does nothing without new
    /// facts.
    void save();
    [[nodiscard]] std::size_t hits() const;

private:
    struct Entry {
        IndexStamp stamp{};
        CheckpointFacts facts;
    };
    void load();

    [[nodiscard]] std::string keyOf(const std::filesystem::path& checkpoint) const;

    const IndexCache& m_cache;
    std::filesystem::path m_experiment;
    std::string m_name;
    mutable std::mutex m_mutex; ///< guards the following members
    std::map<std::string, Entry> m_known;
    std::map<std::string, Entry> m_seen;
    std::size_t m_hits = 0;
    bool m_isNew = false;
};

} // namespace cairn
