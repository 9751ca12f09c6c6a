// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/duplicates.h"

#include "core/analysis/duplicate_files.h"
#include "core/analysis/duplicate_storage.h"
#include "core/analysis/tensor_pass.h"
#include "core/base/counted.h"
#include "core/base/position_table.h"
#include "core/io/extent_sharing.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

using duplicates::FileId;
using duplicates::mixed;
using duplicates::sampleOf;
using duplicates::storageOf;
using duplicates::storedRange;

constexpr std::size_t kBlockwise = 64; ///< copies whose blocks are compared with each other

/// One tensor of one checkpoint.
struct Entry {
    std::uint64_t key = 0;     ///< of what must be equal: dtype and shape, later also the sample
    std::uint64_t storage = 0; ///< equal for the same bytes on the disk
    std::uint32_t holder = 0;
    std::uint32_t tensor = 0;
};

/// A tensor that may be a duplicate.
struct Candidate {
    Entry entry;
    std::string name;
    std::uint64_t bytes = 0;
    Sha256Digest sha256{};
    bool zeros = false;
    bool failed = false;
};

class Finder {
public:
    Finder(const DuplicateInput& input, const DuplicateOptions& options)
        : m_input(input), m_options(options) {}

    Result<Duplicates> run() {
        m_represented = duplicates::findEqualFiles(m_input, m_options, m_result);
        listTensors();
        keepRepeated();
        sample();
        keepRepeated();
        hash();
        CAIRN_CHECK(m_options.cancel.check());
        reportUnread();
        group();
        finish();
        return std::move(m_result);
    }

private:
    /// Opens a checkpoint, and keeps it open while the indexes are small.
    CheckpointPtr open(std::uint32_t holder, bool reportError) {
        if (const auto kept = m_kept.find(holder); kept != m_kept.end()) {
            return kept->second;
        }
        auto opened = m_input.open(m_input.checkpoints[holder]);
        if (!opened) {
            if (reportError) {
                duplicates::note(m_result, std::move(opened).error());
            }
            return nullptr;
        }
        if (m_keptTensors + (*opened)->tensors().size() <= kTensorsKept) {
            m_keptTensors += (*opened)->tensors().size();
            m_kept.emplace(holder, *opened);
        }
        return *opened;
    }

    void listTensors() {
        for (std::size_t i = 0; i < m_input.checkpoints.size(); ++i) {
            if (m_options.cancel.cancelled()) {
                return;
            }
            const auto holder = static_cast<std::uint32_t>(i);
            const CheckpointPtr checkpoint = open(holder, true);
            if (checkpoint == nullptr) {
                continue;
            }
            ++m_result.checkpoints;
            const auto tensors = checkpoint->tensors();
            for (std::size_t k = 0; k < tensors.size(); ++k) {
                addTensor(*checkpoint, tensors[k], holder, static_cast<std::uint32_t>(k));
            }
        }
    }

    void addTensor(const Checkpoint& checkpoint, const TensorEntry& tensor, std::uint32_t holder,
                   std::uint32_t position) {
        if (tensor.elements() < 2 || tensor.dtype == Dtype::String || tensor.pieces.empty() ||
            tensor.bytes() < m_options.smallest || mayExpand(tensor)) {
            return;
        }
        if (m_entries.size() == kMaxDuplicateTensors) {
            if (!std::exchange(m_full, true)) {
                duplicates::note(m_result, fail(ErrorCode::LimitExceeded,
                                                "The folder has too many tensors to compare all"));
            }
            return;
        }
        ++m_result.tensors;
        std::uint64_t key = hashOf(static_cast<std::uint64_t>(tensor.dtype));
        for (const auto extent : tensor.shape) {
            key = mixed(key, static_cast<std::uint64_t>(extent));
        }
        m_entries.push_back(
            {key, storageOf(checkpoint, tensor, holder, m_represented), holder, position});
    }

    /// Keeps the entries whose key occurs again.
    void keepRepeated() {
        std::ranges::sort(m_entries, [](const Entry& a, const Entry& b) {
            return std::tie(a.key, a.holder, a.tensor) < std::tie(b.key, b.holder, b.tensor);
        });
        std::vector<Entry> kept;
        forEachGroup(
            m_entries, [](const Entry& each) { return each.key; },
            [&](std::span<const Entry> same) {
                if (same.size() > 1) {
                    kept.insert(kept.end(), same.begin(), same.end());
                }
            });
        m_entries = std::move(kept);
    }

    template <class Item, class Key, class Use>
    static void forEachGroup(const std::vector<Item>& items, Key&& key, Use&& use) {
        for (std::size_t first = 0; first < items.size();) {
            std::size_t end = first + 1;
            while (end < items.size() && key(items[end]) == key(items[first])) {
                ++end;
            }
            use(std::span(items).subspan(first, end - first));
            first = end;
        }
    }

    /// Positions of entries by checkpoint, so that each is opened once.
    template <class Item, class Holder>
    static std::map<std::uint32_t, std::vector<std::size_t>>
    byHolder(const std::vector<Item>& items, Holder&& holder) {
        std::map<std::uint32_t, std::vector<std::size_t>> positions;
        for (std::size_t i = 0; i < items.size(); ++i) {
            positions[holder(items[i])].push_back(i);
        }
        return positions;
    }

    /// Adds a few blocks of each large tensor to its key. Tensors of which some can only be decoded
    /// as a stream are not sampled.
    void sample() {
        std::set<std::uint64_t> unsampled; // keys
        std::vector<std::uint64_t> samples(m_entries.size(), 0);
        std::mutex mutex;
        for (const auto& [holder, positions] :
             byHolder(m_entries, [](const Entry& each) { return each.holder; })) {
            const CheckpointPtr checkpoint = open(holder, false);
            forEachParallel(
                positions.size(), 0, m_options.cancel, [&, &own = positions](std::size_t i) {
                    const Entry& entry = m_entries[own[i]];
                    const auto digest = checkpoint == nullptr
                                            ? std::nullopt
                                            : sampleOf(*checkpoint, TensorIndex(entry.tensor));
                    if (digest) {
                        samples[own[i]] = *digest;
                    } else {
                        const std::lock_guard lock(mutex);
                        unsampled.insert(entry.key);
                    }
                });
        }
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            if (!unsampled.contains(m_entries[i].key)) {
                m_entries[i].key = mixed(m_entries[i].key, samples[i]);
            }
        }
    }

    /// Hashes one of the entries with the same bytes on the disk.
    void hash() {
        m_candidates.reserve(m_entries.size());
        std::unordered_map<std::uint64_t, std::size_t> firstOf; // storage and key
        std::vector<std::size_t> sameAs;
        for (const Entry& entry : m_entries) {
            const std::size_t at = m_candidates.size();
            m_candidates.push_back({entry, {}, 0, {}, false, false});
            sameAs.push_back(firstOf.emplace(mixed(entry.key, entry.storage), at).first->second);
        }
        const auto holders =
            byHolder(m_candidates, [](const Candidate& each) { return each.entry.holder; });
        describeAll(holders, sameAs);
        for (const auto& [holder, positions] : holders) {
            const CheckpointPtr checkpoint = open(holder, false);
            if (checkpoint == nullptr) {
                continue;
            }
            forEachParallel(positions.size(), 0, m_options.cancel,
                            [&, &own = positions](std::size_t i) {
                                if (sameAs[own[i]] == own[i]) {
                                    hashOne(*checkpoint, m_candidates[own[i]]);
                                }
                            });
        }
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const Candidate& first = m_candidates[sameAs[i]];
            m_candidates[i].sha256 = first.sha256;
            m_candidates[i].zeros = first.zeros;
            m_candidates[i].failed = m_candidates[i].failed || first.failed;
        }
    }

    /// Names and sizes of the candidates, and the total for the progress.
    void describeAll(const std::map<std::uint32_t, std::vector<std::size_t>>& holders,
                     const std::vector<std::size_t>& sameAs) {
        std::uint64_t total = m_result.bytesRead;
        for (const auto& [holder, positions] : holders) {
            const CheckpointPtr checkpoint = open(holder, false);
            for (const std::size_t i : positions) {
                Candidate& candidate = m_candidates[i];
                const std::size_t tensor = candidate.entry.tensor;
                candidate.failed = checkpoint == nullptr || tensor >= checkpoint->tensors().size();
                if (!candidate.failed) {
                    candidate.name = checkpoint->tensors()[tensor].name;
                    candidate.bytes = checkpoint->tensors()[tensor].bytes();
                    total += sameAs[i] == i ? candidate.bytes : 0;
                }
            }
        }
        if (m_options.total != nullptr) {
            m_options.total->store(total);
        }
    }

    void hashOne(const Checkpoint& checkpoint, Candidate& candidate) {
        if (candidate.failed) {
            return;
        }
        thread_local PassBuffer buffer;
        Sha256 sha;
        bool zeros = true;
        const TensorEntry& tensor = checkpoint.tensor(TensorIndex(candidate.entry.tensor));
        auto done = streamTensor(checkpoint, tensor, m_options.cancel, m_options.progress, buffer,
                                 [&](std::span<const std::byte> bytes) -> Result<void> {
                                     sha.add(bytes);
                                     zeros =
                                         zeros && std::ranges::all_of(bytes, [](std::byte each) {
                                             return each == std::byte{0};
                                         });
                                     return {};
                                 });
        candidate.failed = !done;
        candidate.zeros = zeros;
        const std::lock_guard lock(m_mutex);
        if (done) {
            candidate.sha256 = sha.finish();
            m_result.bytesRead += candidate.bytes;
        } else {
            Error error = std::move(done).error();
            if (error.where.tensor.empty()) {
                error.where.tensor = tensor.name;
            }
            // The first tensor's error, whichever thread came first.
            Unread& unread = m_unread[candidate.entry.holder];
            if (unread.count++ == 0 || candidate.entry.tensor < unread.tensor) {
                unread.error = std::move(error);
                unread.tensor = candidate.entry.tensor;
            }
        }
    }

    /// One notice for each checkpoint.
    void reportUnread() {
        for (auto& [holder, unread] : m_unread) {
            Error& error = unread.error;
            const std::filesystem::path& path = m_input.checkpoints[holder];
            const bool isPart = !error.where.file.empty() && error.where.file != path.filename();
            error.where.file = (isPart ? path / error.where.file : path).string();
            error.found =
                sentence("%1 of the checkpoint not compared", counting(unread.count, "tensor"));
            duplicates::note(m_result, std::move(error));
        }
    }

    void group() {
        std::erase_if(m_candidates, [](const Candidate& each) { return each.failed; });
        std::ranges::sort(m_candidates, [](const Candidate& a, const Candidate& b) {
            return std::tie(a.sha256, a.entry.key, a.entry.holder, a.entry.tensor) <
                   std::tie(b.sha256, b.entry.key, b.entry.holder, b.entry.tensor);
        });
        forEachGroup(
            m_candidates,
            [](const Candidate& each) { return std::tie(each.sha256, each.entry.key); },
            [&](std::span<const Candidate> same) { addGroup(same); });
    }

    void addGroup(std::span<const Candidate> same) {
        std::set<std::uint64_t> storages;
        for (const Candidate& each : same) {
            storages.insert(each.entry.storage);
        }
        if (storages.size() == 1) { // then copies in other files are copies of the whole file
            const auto other = std::ranges::find_if(same, [&](const Candidate& each) {
                return each.entry.holder != same.front().entry.holder;
            });
            same = same.first(static_cast<std::size_t>(other - same.begin()));
        }
        if (same.size() < 2) {
            return;
        }
        DuplicateGroup group;
        group.sha256 = same.front().sha256;
        group.bytes = same.front().bytes;
        group.zeros = same.front().zeros;
        std::vector<const Candidate*> copies;
        std::set<std::uint64_t> seen;
        for (const Candidate& each : same) {
            const bool known =
                !seen.insert(each.entry.storage).second || sharesBlocks(each, copies);
            group.places.push_back({m_input.checkpoints[each.entry.holder], each.name, known});
            if (!known) {
                copies.push_back(&each);
            }
        }
        group.reclaimable = group.zeros ? 0 : group.bytes * (copies.size() - 1);
        m_result.groups.push_back(std::move(group));
    }

    /// Whether the tensor's bytes are in the same blocks of the disk as one of `copies`.
    bool sharesBlocks(const Candidate& candidate, const std::vector<const Candidate*>& copies) {
        const auto [source, range] = rangeOf(candidate);
        if (source == nullptr) {
            return false;
        }
        const auto compared = std::span(copies).first(std::min(copies.size(), kBlockwise));
        return std::ranges::any_of(compared, [&, &from = source, &bytes = range](auto* copy) {
            const auto [other, otherRange] = rangeOf(*copy);
            return other != nullptr && otherRange.length == bytes.length &&
                   sameBlocks(from->descriptor(), bytes.offset, other->descriptor(),
                              otherRange.offset, bytes.length);
        });
    }

    std::pair<ByteSourcePtr, ByteRange> rangeOf(const Candidate& candidate) {
        const CheckpointPtr checkpoint = open(candidate.entry.holder, false);
        const std::size_t tensor = candidate.entry.tensor;
        return checkpoint == nullptr || tensor >= checkpoint->tensors().size()
                   ? std::pair<ByteSourcePtr, ByteRange>()
                   : storedRange(*checkpoint, checkpoint->tensors()[tensor]);
    }

    void finish() {
        std::ranges::stable_sort(
            m_result.groups, [](const DuplicateGroup& a, const DuplicateGroup& b) {
                return std::tie(a.reclaimable, a.bytes) > std::tie(b.reclaimable, b.bytes);
            });
        for (const DuplicateGroup& each : m_result.groups) {
            m_result.reclaimable += each.reclaimable;
        }
        if (m_result.groups.size() > Duplicates::kMaxGroups) {
            m_result.moreGroups = m_result.groups.size() - Duplicates::kMaxGroups;
            m_result.groups.resize(Duplicates::kMaxGroups);
        }
    }

    const DuplicateInput& m_input;
    const DuplicateOptions& m_options;
    Duplicates m_result;
    std::mutex m_mutex; ///< guards m_result and m_unread while tensors are hashed
    struct Unread {
        Error error;
        std::size_t count = 0; ///< tensors
        std::size_t tensor = 0;
    };
    std::map<std::uint32_t, Unread> m_unread; ///< by checkpoint
    std::map<FileId, FileId> m_represented;
    std::vector<Entry> m_entries;
    std::vector<Candidate> m_candidates;
    std::unordered_map<std::uint32_t, CheckpointPtr> m_kept;
    std::size_t m_keptTensors = 0;
    bool m_full = false;
};

} // namespace

Result<Duplicates> findDuplicates(const DuplicateInput& input, const DuplicateOptions& options) {
    return Finder(input, options).run();
}

} // namespace cairn
