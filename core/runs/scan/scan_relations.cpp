// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/scan_relations.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/model/names/file_names.h"
#include "core/model/names/position.h"
#include "core/runs/scan/export_decision.h"
#include "core/runs/scan/scan_names.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxRelationNotices = 100;

std::string textIn(const JsonValue* object, std::string_view key) {
    const JsonValue* value = object != nullptr ? object->find(key) : nullptr;
    const auto text = value != nullptr ? value->asString() : Result<std::string_view>("");
    return text ? std::string(*text) : std::string();
}

class Relations {
public:
    Relations(Experiment& experiment, const FoundRelations& found)
        : m_experiment(experiment), m_found(found) {
        std::error_code error;
        m_root = fs::canonical(experiment.path, error);
        m_root = error ? experiment.path : m_root;
        for (std::size_t r = 0; r < experiment.runs.size(); ++r) {
            m_runs.emplace(experiment.runs[r].id, r);
            for (const ScannedCheckpoint& each : experiment.runs[r].checkpoints) {
                m_byPath.emplace(canonicalOf(each.path), Place{r, each.name});
            }
        }
    }

    void run() {
        for (const FoundLink& link : m_found.links) {
            addLink(link);
        }
        for (ScannedRun& run : m_experiment.runs) {
            markSecondNames(run);
        }
        std::uint64_t budget = kMaxManifestBytes;
        for (const fs::path& manifest : m_found.manifests) {
            readManifest(manifest, budget);
        }
        for (const FoundPointer& pointer : m_found.pointers) {
            follow(pointer); // not to an export
        }
        moveExports();
    }

private:
    struct Place {
        std::size_t run = 0;
        std::string name;
    };

    void note(Severity severity, Error error) {
        if (m_experiment.notices.size() < kMaxRelationNotices) {
            m_experiment.notices.push_back({severity, std::move(error)});
        }
    }

    /// Folders below the root are not links, so only the root needs to be resolved.
    [[nodiscard]] fs::path canonicalOf(const fs::path& path) const {
        const fs::path below = path.lexically_relative(m_experiment.path);
        return below.empty() || below == "." ? m_root : (m_root / below).lexically_normal();
    }

    ScannedCheckpoint* checkpointAt(const Place& place) {
        auto& list = m_experiment.runs[place.run].checkpoints;
        const auto at = std::ranges::find(list, place.name, &ScannedCheckpoint::name);
        return at != list.end() ? &*at : nullptr;
    }

    void addLink(const FoundLink& link) {
        std::error_code error;
        const fs::path target = fs::canonical(link.path, error);
        const auto known = m_byPath.find(target);
        if (!error && known == m_byPath.end()) {
            if (link.looksLikeCheckpoint) {
                note(Severity::Info,
                     fail(ErrorCode::OutsideFolder, "A link that points outside the folder, or not "
                                                    "to a checkpoint in it, is not followed")
                         .inFile(link.path.string())
                         .butFound(verbatim(target.string())));
            }
            return;
        }
        if (error && !link.looksLikeCheckpoint) {
            return;
        }
        const auto runAt = m_runs.find(link.runId);
        if (runAt == m_runs.end()) {
            return; // there are only links
        }
        ScannedCheckpoint row;
        row.path = link.path;
        row.name = link.name;
        row.modifiedNs = link.modifiedNs;
        if (error) {
            const fs::path text = fs::read_symlink(link.path, error);
            row.linkTo = text.filename().string();
            row.state = CheckpointState::Damaged;
            row.reason = "The target of the link is missing";
        } else {
            const auto& [run, name] = known->second;
            row.linkTo =
                run == runAt->second ? name : target.lexically_relative(runFolder(link)).string();
            row.format = checkpointAt(known->second)->format;
        }
        m_experiment.runs[runAt->second].checkpoints.push_back(std::move(row));
    }

    [[nodiscard]] fs::path runFolder(const FoundLink& link) const {
        return link.runId == "." ? m_root : m_root / link.runId;
    }

    /// Two names of one file (a hard link): the one that contains less information is shown as a
    /// link.
    void markSecondNames(ScannedRun& run) {
        std::map<FileKey, ScannedCheckpoint*> first;
        for (ScannedCheckpoint& each : run.checkpoints) {
            const auto file = m_found.files.find(each.path);
            if (each.isLink() || file == m_found.files.end()) {
                continue;
            }
            const auto [at, isNew] = first.emplace(file->second, &each);
            if (isNew) {
                continue;
            }
            const bool hasPosition =
                (each.step || each.epoch) && !(at->second->step || at->second->epoch);
            ScannedCheckpoint& main = hasPosition ? each : *at->second;
            ScannedCheckpoint& other = hasPosition ? *at->second : each;
            other.linkTo = main.name;
            other.bytes = 0;
            other.files = 0;
            at->second = &main;
        }
    }

    void follow(const FoundPointer& pointer) {
        const auto runAt = m_runs.find(pointer.runId);
        if (runAt == m_runs.end() || m_byPath.contains(canonicalOf(pointer.path))) {
            return; // it is a checkpoint itself
        }
        const auto text = smallText(pointer.path, kMaxPointer);
        std::string target = text ? pointerTarget(*text) : std::string();
        target.resize(std::min(target.find("-\?\?\?\?\?-of-"),
                               target.size())); // TensorFlow's pattern for shards
        if (target.empty()) {
            return;
        }
        std::int64_t number = -1;
        const auto parsed = std::from_chars(target.data(), target.data() + target.size(), number);
        const bool isNumber = parsed.ec == std::errc() && parsed.ptr == &*target.end();
        bool found = false;
        for (ScannedCheckpoint& each : m_experiment.runs[runAt->second].checkpoints) {
            const bool named = each.name.starts_with(target + "/") ||
                               fs::path(each.name).stem().string() == target ||
                               (isNumber && each.step == number);
            if (!each.isLink() && (each.name == target || (named && each.isOwnSave()))) {
                each.pointedBy.insert(each.pointedBy.begin(), pointer.path.filename().string());
                each.pointedAsLatest = true;
                found = true;
            }
        }
        if (!found) {
            note(Severity::Error,
                 fail(ErrorCode::DanglingPointer, "A pointer file names a missing checkpoint")
                     .inFile(pointer.path.string())
                     .butFound(verbatim(target))
                     .expecting("the name of a checkpoint in this folder")
                     .withHint("Copy the missing checkpoint, or write the name of an existing one "
                               "into the file"));
        }
    }

    void readManifest(const fs::path& path, std::uint64_t& budget) {
        const auto found = readExport(path, budget);
        if (!found) {
            return;
        }
        const auto own = m_byPath.find(canonicalOf(found->output.path));
        std::vector<Place> sources;
        std::vector<Evidence> because;
        for (const FoundExport::Source& source : found->sources) {
            for (const Place& place : placesNamed(source)) {
                ScannedCheckpoint& checkpoint = *checkpointAt(place);
                const auto evidence = isSource(canonicalOf(checkpoint.path), source, path);
                if (evidence && (own == m_byPath.end() || own->second.run != place.run ||
                                 own->second.name != place.name)) {
                    checkpoint.exports.push_back(found->output);
                    sources.push_back(place);
                    because.push_back(*evidence);
                }
            }
        }
        if (!found->earlier.empty()) {
            pointAtEarlier(found->earlier, found->output.path);
        }
        if (own != m_byPath.end()) {
            markExport(own->second, *found, sources, std::move(because));
        }
    }

    /// The checkpoints of the experiment with the last component of a source's path.
    std::vector<Place> placesNamed(const FoundExport::Source& source) {
        if (m_byLastName.empty()) {
            for (const auto& [path, place] : m_byPath) {
                m_byLastName.emplace(path.filename().string(), place);
            }
        }
        const fs::path plain = withoutSlash(source.path);
        const auto [begin, end] = m_byLastName.equal_range(plain.filename().string());
        std::vector<Place> places;
        for (auto at = begin; at != end; ++at) {
            places.push_back(at->second);
        }
        return places;
    }

    /// An output that has everything is a checkpoint like any other. One without is shown in the
    /// run of its source, if it is located below that run's folder.
    void markExport(const Place& own, const FoundExport& found, const std::vector<Place>& sources,
                    std::vector<Evidence> because) {
        ScannedCheckpoint& output = *checkpointAt(own);
        if (found.lacksState.value == false) {
            return;
        }
        output.isExport = true;
        const std::set<std::size_t> runs = [&] {
            std::set<std::size_t> all;
            for (const Place& source : sources) {
                all.insert(source.run);
            }
            return all;
        }();
        const std::vector<Evidence>& lacks = found.lacksState.because;
        output.exportOf.value = runs.size() == 1 ? sources.front().name : std::string();
        output.exportOf.because = runs.size() == 1 ? std::move(because) : std::vector<Evidence>();
        output.exportOf.because.insert(output.exportOf.because.end(), lacks.begin(), lacks.end());
        if (runs.size() == 1 && *runs.begin() != own.run) {
            m_moves.push_back({own, *runs.begin()});
        }
    }

    void moveExports() {
        for (const auto& [from, to] : m_moves) {
            ScannedRun& target = m_experiment.runs[to];
            auto& list = m_experiment.runs[from.run].checkpoints;
            const auto at = std::ranges::find(list, from.name, &ScannedCheckpoint::name);
            const fs::path below = at->path.lexically_relative(target.path);
            const bool isBelow = !below.empty() && *below.begin() != "..";
            const bool isNamed =
                std::ranges::any_of(list, [&name = from.name](const ScannedCheckpoint& each) {
                    return each.linkTo == name;
                });
            if (isBelow && !isNamed) {
                at->name = below.string();
                target.checkpoints.push_back(std::move(*at));
                list.erase(at);
            }
        }
        for (const auto& move : m_moves) {
            m_experiment.runs[move.first.run].path =
                m_experiment.runs[move.first.run].checkpoints.empty()
                    ? fs::path()
                    : m_experiment.runs[move.first.run].path;
        }
        std::erase_if(m_experiment.runs, [](const ScannedRun& run) { return run.path.empty(); });
    }

    /// Records that a delta archive needs its base checkpoint.
    void pointAtEarlier(const std::string& earlier, const fs::path& archive) {
        const auto known = m_byPath.find(canonicalOf(archive.parent_path() / earlier));
        std::error_code error;
        if (known != m_byPath.end() && fs::exists(archive, error)) {
            checkpointAt(known->second)->pointedBy.push_back(archive.filename().string());
        }
    }

    static fs::path withoutSlash(const fs::path& path) {
        const fs::path plain = path.lexically_normal();
        return plain.has_filename() ? plain : plain.parent_path();
    }

    Experiment& m_experiment;
    const FoundRelations& m_found;
    fs::path m_root;
    std::map<std::string, std::size_t> m_runs;
    std::map<fs::path, Place> m_byPath;
    std::multimap<std::string, Place> m_byLastName;     ///< filled when first needed
    std::vector<std::pair<Place, std::size_t>> m_moves; ///< an export, and the run of its source
};

} // namespace

void collectRelations(FoundRelations& found, const fs::path& path, const std::string& id,
                      const std::vector<FolderEntry>& entries) {
    const RunPlace place = runPlaceOf(id);
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Link && found.links.size() < kMaxRelations) {
            const NamedPosition position = positionFromName(entry.name);
            const bool ending = entry.name.find('.') != std::string::npos;
            const bool inspected =
                (ending && mayBeCheckpoint(entry.name)) ||
                (!ending && (position.step || position.epoch || isBestOrLastName(entry.name)));
            found.links.push_back({place.runId, place.prefix + entry.name, path / entry.name,
                                   entry.identity.mtimeNs, inspected});
        } else if (entry.kind == EntryKind::File && isPointerName(entry.name) &&
                   entry.identity.size <= kMaxPointer && found.pointers.size() < kMaxRelations) {
            found.pointers.push_back({place.runId, path / entry.name});
        }
    }
}

void collectManifests(FoundRelations& found, const fs::path& path,
                      const std::vector<FolderEntry>& entries) {
    for (const FolderEntry& entry : entries) {
        const bool named = entry.name == "MANIFEST.json" || entry.name.ends_with(".cairn.json");
        if (named && entry.kind == EntryKind::File && found.manifests.size() < kMaxRelations) {
            found.manifests.push_back(path / entry.name);
        }
    }
}

std::optional<std::string> smallText(const fs::path& path, std::uint64_t limit) {
    const auto folder = Folder::open(path.has_parent_path() ? path.parent_path() : ".");
    const auto source = folder.and_then(
        [&](const FolderPtr& opened) { return opened->openFile(path.filename().string()); });
    if (!source || (*source)->size() > limit) {
        return std::nullopt;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    return bytes ? std::optional(std::string(asText(*bytes))) : std::nullopt;
}

std::optional<std::string> jsonText(std::string_view document, std::string_view key) {
    const auto root = parseJson(document, {});
    const std::string text = root ? textIn(&*root, key) : std::string();
    return text.empty() ? std::nullopt : std::optional(text);
}

void relate(Experiment& experiment, const FoundRelations& found) {
    Relations(experiment, found).run();
}

} // namespace cairn
