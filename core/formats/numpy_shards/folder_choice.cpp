// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/folder_choice.h"

#include "core/base/visible_text.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cairn::formats::numpy_shards {
namespace {

std::string stemOf(const std::string& name) {
    return name.substr(0, name.size() - 4);
}

class Chooser {
public:
    Chooser(const FolderNames& names, const Manifest& manifest)
        : m_names(names), m_manifest(manifest) {}

    FolderChoice choose() {
        collectNamed();
        if (m_listed) {
            chooseNamed();
        } else {
            for (const ShardGroup* group : chooseGroups()) {
                addGroup(*group);
            }
            for (const FolderEntry& entry : m_names.singles) {
                addSingle(entry);
            }
            m_choice.counted = m_counted && m_names.singles.empty();
            addManifestParts();
        }
        if (m_manifest.count && !m_choice.counted) {
            m_choice.counted =
                static_cast<std::int64_t>(m_choice.files.size()) >= *m_manifest.count;
        }
        return std::move(m_choice);
    }

private:
    void collectNamed() {
        const auto add = [&](const std::string& name) {
            if (!name.empty() && m_named.insert(name).second) {
                m_order.push_back(name);
            }
        };
        for (const ManifestFile& file : m_manifest.files) {
            if (file.listed && !file.name.ends_with(".json") && !file.name.ends_with(".txt")) {
                add(file.name);
                m_listed = true;
            }
        }
        for (const ManifestTensor& tensor : m_manifest.tensors) {
            for (const ManifestPart& part : tensor.parts) {
                add(part.file);
            }
        }
    }

    /// The manifest lists the files: use exactly those.
    void chooseNamed() {
        std::unordered_map<std::string, const FolderEntry*> there;
        std::unordered_map<std::string, const ShardGroup*> groupOf;
        for (const ShardGroup& group : m_names.groups) {
            for (const auto& [number, entry] : group.files) {
                there.emplace(entry.name, &entry);
                groupOf.emplace(entry.name, &group);
            }
        }
        for (const FolderEntry& entry : m_names.singles) {
            there.emplace(entry.name, &entry);
        }
        for (const std::string& name : m_order) {
            ChosenFile file{name, {}, {}, 0};
            if (const auto parts = splitNumberedName(name); parts && parts->sure) {
                file.label = shardLabel(*parts) + ".";
                file.set = 1;
            }
            m_choice.files.push_back(std::move(file)); // missing files are detected by the joiner
        }
        for (const auto& [name, entry] : there) {
            if (!m_named.contains(name)) {
                m_choice.strays.push_back(name);
            }
        }
        std::ranges::sort(m_choice.strays, naturalLess);
        for (const ShardGroup& group : m_names.groups) {
            assessSizes(group);
        }
        m_choice.counted = true;
    }

    /// Without a list of files: adds those that tensors' parts refer to and that are in
    /// sub-folders.
    void addManifestParts() {
        std::unordered_set<std::string> there;
        for (const ChosenFile& file : m_choice.files) {
            there.insert(file.name);
        }
        for (const std::string& name : m_order) {
            if (!there.contains(name)) {
                m_choice.files.push_back({name, {}, {}, 0});
            }
        }
        m_choice.counted = m_choice.counted || !m_order.empty();
    }

    /// Selects one step, and one count for each kind.
    std::vector<const ShardGroup*> chooseGroups() {
        std::vector<const ShardGroup*> left;
        for (const ShardGroup& group : m_names.groups) {
            left.push_back(&group);
        }
        chooseStep(left);
        std::vector<const ShardGroup*> chosen;
        std::unordered_map<std::string, std::size_t> byKind;
        for (const ShardGroup* group : left) {
            const std::string kind =
                group->like.before + '\0' + group->like.after + group->like.suffix;
            const auto [place, isNew] = byKind.try_emplace(kind, chosen.size());
            if (isNew || group->like.count == 0) {
                chosen.push_back(group);
                continue;
            }
            const ShardGroup*& other = chosen[place->second];
            const bool better =
                group->whole() != other->whole() ? group->whole() : group->newest > other->newest;
            addStale(better ? *other : *group);
            other = better ? group : other;
        }
        return chosen;
    }

    void addStale(const ShardGroup& group) {
        for (const auto& [number, entry] : group.files) {
            m_choice.stale.push_back(entry.name);
        }
    }

    /// Several steps in one folder: selects the newest complete one.
    void chooseStep(std::vector<const ShardGroup*>& groups) {
        std::unordered_map<std::int64_t, bool> steps; // -> whether it is complete
        for (const ShardGroup* group : groups) {
            if (group->position) {
                const auto [step, isNew] = steps.try_emplace(*group->position, true);
                step->second = step->second && group->whole();
            }
        }
        std::optional<std::int64_t> best;
        for (const auto& [step, whole] : steps) {
            const bool better = !best || (whole != steps.at(*best) ? whole : step > *best);
            best = better ? std::optional(step) : best;
        }
        m_choice.position = best;
        std::erase_if(groups, [&](const ShardGroup* group) {
            const bool other = group->position && group->position != best;
            if (other) {
                m_choice.others.push_back(group->files.begin()->second.name);
            }
            return other;
        });
    }

    void addGroup(const ShardGroup& group) {
        ++m_sets;
        const bool archives = group.like.suffix == ".npz";
        const std::string role = group.role();
        const std::string prefix =
            archives && !role.empty() && m_names.groups.size() > 1 ? role + "." : std::string();
        std::uint64_t missing = 0;
        const bool recorded = std::ranges::any_of(group.files, [&](const auto& numbered) {
            return m_named.contains(numbered.second.name);
        });
        if (recorded) { // the numbers may have any meaning, such as rows and columns
            for (const auto& [number, entry] : group.files) {
                NumberedName own = group.like;
                own.number = number;
                m_choice.files.push_back({entry.name, prefix, shardLabel(own) + ".", m_sets});
            }
            assessSizes(group);
            return;
        }
        auto file = group.files.begin();
        for (std::uint32_t number = group.first(); number < group.end(); ++number) {
            if (file == group.files.end() || file->first != number) {
                if (++missing; m_choice.missing.size() < FolderChoice::kMaxMissing) {
                    m_choice.missing.push_back(numberedName(group.like, number));
                }
                continue;
            }
            NumberedName own = group.like;
            own.number = number;
            m_choice.files.push_back({file->second.name, prefix, shardLabel(own) + ".", m_sets});
            ++file;
        }
        m_choice.missingCount += missing;
        m_counted = m_counted && group.like.count > 0;
        assessSizes(group);
    }

    void addSingle(const FolderEntry& entry) {
        const std::string stem = stemOf(entry.name);
        const bool archive = entry.name.ends_with(".npz");
        const bool plain = !archive || isWeightsWord(stem);
        m_choice.files.push_back({entry.name, plain ? std::string() : stem + ".", {}, 0});
    }

    void assessSizes(const ShardGroup& group) {
        if (group.files.size() < 2) {
            return;
        }
        std::vector<std::uint64_t> sizes;
        for (const auto& [number, entry] : group.files) {
            sizes.push_back(entry.identity.size);
        }
        std::ranges::sort(sizes);
        const std::uint64_t middle = sizes[sizes.size() / 2];
        const Sentence count =
            sentence("%1 files like %2", sizes.size(), group.files.begin()->second.name);
        const bool even = sizes.back() - sizes.front() <= middle / 20;
        m_choice.sizes.push_back(sizes.front() == sizes.back()
                                     ? sentence("%1 of %2 each", count, amount(formatBytes(middle)))
                                     : sentence("%1 from %2 to %3%4", count,
                                                amount(formatBytes(sizes.front())),
                                                amount(formatBytes(sizes.back())),
                                                even ? Sentence(", about equal") : ", not equal"));
        for (const auto& [number, entry] : group.files) {
            const std::uint64_t size = entry.identity.size;
            const bool last = number == group.files.rbegin()->first;
            if ((size < middle / 2 && !last) || size / 2 > middle) {
                m_choice.uneven.push_back(entry.name);
            }
        }
    }

    const FolderNames& m_names;
    const Manifest& m_manifest;
    FolderChoice m_choice;
    std::unordered_set<std::string> m_named;
    std::vector<std::string> m_order;
    std::size_t m_sets = 0;
    bool m_listed = false; ///< the manifest lists files
    bool m_counted = true;
};

} // namespace

FolderChoice chooseFiles(const FolderNames& names, const Manifest& manifest) {
    return Chooser(names, manifest).choose();
}

} // namespace cairn::formats::numpy_shards
