// SPDX-License-Identifier: Apache-2.0
//
// First the folders that are evidently those of a model are listed, nearest first. Then each group
// of sidecar_names.h is filled: a tokenizer from one of them, other files from the nearest that has
// them. Last, the code that these files name.
#include "core/jobs/bundle/sidecars.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/base/glob.h"
#include "core/io/folder.h"
#include "core/jobs/bundle/sidecar_code.h"
#include "core/jobs/bundle/sidecar_names.h"
#include "core/jobs/bundle/sidecar_places.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostProblems = 8;
constexpr std::size_t kMostListed = 10'000; ///< entries of one folder

Sentence howToRead() {
    return "Make it readable, or name a folder that has it: --like FOLDER; --force continues "
           "without "
           "it";
}

/// The names in a folder that match a pattern; "1_Pooling/config.json" is in one below.
std::vector<std::string> namesOf(const Folder& folder, std::string_view pattern) {
    if (pattern.find_first_of("*{?") == pattern.npos) {
        return {std::string(pattern)};
    }
    std::vector<std::string> names;
    const std::size_t slash = pattern.find('/');
    const auto outer = Glob::parse(pattern.substr(0, slash));
    const auto entries = folder.list(kMostListed);
    for (const FolderEntry& entry : outer&& entries ? *entries : std::vector<FolderEntry>()) {
        if (!outer->matches(entry.name)) {
            continue;
        }
        if (slash == pattern.npos) {
            names.push_back(entry.name);
            continue;
        }
        const auto inner = folder.openFolder(entry.name);
        const auto glob = Glob::parse(pattern.substr(slash + 1));
        const auto files = entriesOf(inner, kMostListed);
        for (const FolderEntry& file : glob&& files ? *files : std::vector<FolderEntry>()) {
            if (glob->matches(file.name)) {
                names.push_back(entry.name + "/" + file.name);
            }
        }
    }
    return names;
}

class Search {
public:
    Search(std::vector<SidecarPlace> places, bool dequantized, bool modules)
        : m_places(std::move(places)), m_dequantized(dequantized), m_modules(modules) {}

    SidecarSearch run() {
        addConfig();
        addTokenizer();
        for (const SidecarRow& row : sidecarRows()) {
            const bool isSettings = row.group == SidecarGroup::Model ||
                                    row.group == SidecarGroup::Processor ||
                                    (row.group == SidecarGroup::Quantisation && !m_dequantized);
            if (isSettings) {
                addNearest(row);
            }
            for (const SidecarPlace& place : m_places) {
                const bool fits = row.group == SidecarGroup::Card      ? place.own
                                  : row.group == SidecarGroup::Adapter ? place.own
                                  : row.group == SidecarGroup::Module  ? place.own && m_modules
                                  : row.group == SidecarGroup::Licence ? &place == m_config
                                  : row.group == SidecarGroup::Code    ? &place == m_config
                                                                       : false;
                if (fits) {
                    addAll(place, row);
                }
            }
        }
        addCode();
        decide();
        return std::move(m_found);
    }

    /// The config alone.
    std::vector<Sidecar> config() {
        addConfig();
        return std::move(m_found.files);
    }

private:
    [[nodiscard]] bool has(std::string_view name) const {
        return std::ranges::find(m_found.files, name, &Sidecar::name) != m_found.files.end();
    }

    /// Null if there is no such file, or none that can be opened, which becomes a problem.
    ByteSourcePtr opened(const SidecarPlace& place, const std::string& name) {
        const auto source = place.folder->openFile(name);
        if (source) {
            return *source;
        }
        const ErrorCode code = source.error().code;
        if (code != ErrorCode::NotFound && code != ErrorCode::NotRegularFile) {
            refuse(place, name, code,
                   sentence("A file beside the weights cannot be read: %1", name), howToRead());
        }
        return nullptr;
    }

    bool add(const SidecarPlace& place, const std::string& name) {
        if (has(name) || m_refused.contains(name)) {
            return false;
        }
        const ByteSourcePtr source = opened(place, name);
        if (source == nullptr) {
            return false;
        }
        const std::uint64_t size = source->size();
        if (size > kMaxSidecar || size > kMaxSidecars - m_bytes ||
            m_found.files.size() >= kMostSidecars) {
            return refuse(place, name, ErrorCode::LimitExceeded,
                          sentence("A file beside the weights is not copied, because it is too "
                                   "large or there are too many: %1",
                                   name),
                          "Copy it by hand if a loader needs it");
        }
        auto bytes = readRange(*source, {0, size});
        if (!bytes) {
            return refuse(place, name, bytes.error().code,
                          sentence("A file beside the weights cannot be read: %1", name),
                          howToRead());
        }
        m_bytes += size;
        m_from[place.name] += (m_from[place.name].empty() ? "" : ", ") + name;
        m_found.files.push_back({name, (place.path / name).string(), std::move(*bytes)});
        return true;
    }

    /// Always false.
    bool refuse(const SidecarPlace& place, const std::string& name, ErrorCode code,
                Sentence message, Sentence hint) {
        m_refused.insert(name);
        if (m_found.problems.size() < kMostProblems) {
            const Severity severity =
                code == ErrorCode::LimitExceeded ? Severity::Warning : Severity::Error;
            m_found.problems.push_back({code, severity, std::move(message), std::move(hint), {}});
            m_found.problems.back().where.file = (place.path / name).string();
        }
        return false;
    }

    void addAll(const SidecarPlace& place, const SidecarRow& row) {
        for (const std::string& name : namesOf(*place.folder, row.pattern)) {
            add(place, name);
        }
    }

    void addNearest(const SidecarRow& row) {
        for (const SidecarPlace& place : m_places) {
            addAll(place, row);
        }
    }

    /// A config of the training is used only if there is none of a model.
    void addConfig() {
        const auto any = std::ranges::find_if(m_places, [this](const SidecarPlace& place) {
            return opened(place, "config.json") != nullptr;
        });
        const auto model = std::ranges::find_if(
            m_places, [](const SidecarPlace& place) { return hasModelConfig(*place.folder); });
        const auto chosen = model != m_places.end() ? model : any;
        if (chosen != m_places.end()) {
            m_config = &*chosen;
            add(*chosen, "config.json");
        }
    }

    std::vector<std::string> tokenizerFiles(const SidecarPlace& place, bool& vocabulary) {
        std::vector<std::string> names;
        vocabulary = false;
        for (const SidecarRow& row : sidecarRows()) {
            if (row.group != SidecarGroup::Tokenizer) {
                continue;
            }
            for (const std::string& name : namesOf(*place.folder, row.pattern)) {
                if (opened(place, name) != nullptr) {
                    names.push_back(name);
                    vocabulary = vocabulary || row.vocabulary;
                }
            }
        }
        return names;
    }

    void addTokenizer() {
        const SidecarPlace* chosen = nullptr;
        bool isComplete = false;
        std::map<const SidecarPlace*, std::vector<std::string>> files;
        for (const SidecarPlace& place : m_places) {
            if (isComplete) {
                break;
            }
            bool vocabulary = false;
            const auto names = tokenizerFiles(place, vocabulary);
            if (!names.empty()) {
                files[&place] = names;
                if (chosen == nullptr || (vocabulary && !isComplete)) {
                    chosen = &place;
                    isComplete = vocabulary;
                }
            }
        }
        if (chosen == nullptr) {
            return;
        }
        for (const std::string& name : files[chosen]) {
            add(*chosen, name);
        }
        for (const SidecarPlace& place : m_places) { // only those that one would expect to be used
            if (&place == chosen) {
                break;
            }
            if (files.contains(&place)) {
                m_found.decisions.push_back(
                    {DecisionId::TokenizerChosen,
                     sentence("from %1, without %2 of %3", chosen->name, listed(files[&place]),
                              place.name),
                     sentence("Files of two tokenizers are not mixed, and %1 has no vocabulary",
                              place.name)});
            }
        }
    }

    static std::string listed(const std::vector<std::string>& names) {
        constexpr std::size_t kMost = 3;
        std::string text;
        for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
            text += (i == 0 ? "" : ", ") + names[i];
        }
        return names.size() > kMost ? text + ", …" : text;
    }

    const SidecarPlace* placeOf(const Sidecar& file) const {
        const auto found = std::ranges::find_if(m_places, [&](const SidecarPlace& place) {
            return (place.path / file.name).string() == file.origin;
        });
        return found == m_places.end() ? nullptr : &*found;
    }

    /// The files that auto_map names, and what they import.
    void addCode() {
        std::vector<std::pair<const SidecarPlace*, std::string>> wanted; // grows
        std::set<std::string> remote;
        for (const Sidecar& file : m_found.files) {
            if (!file.name.ends_with(".json")) {
                continue;
            }
            const AutoMap map = autoMapOf(asText(file.bytes));
            for (const std::string& module : map.modules) {
                wanted.emplace_back(placeOf(file), module);
            }
            remote.insert(map.remote.begin(), map.remote.end());
        }
        for (std::size_t i = 0; i < wanted.size() && i < kMostSidecars; ++i) {
            const auto [place, module] = wanted[i];
            for (const std::string& next : addModule(place, module)) {
                wanted.emplace_back(place, next);
            }
        }
        if (!remote.empty()) {
            m_found.problems.push_back(
                {ErrorCode::NotFound,
                 Severity::Warning,
                 sentence("A settings file names code of a different repository, which a loader "
                          "downloads: %1",
                          *remote.begin()),
                 "A loader needs access to that repository, and trust_remote_code",
                 {}});
        }
    }

    /// Adds one Python file; returns the modules that it imports.
    std::vector<std::string> addModule(const SidecarPlace* place, const std::string& module) {
        const std::string name = module + ".py";
        if (place == nullptr || has(name)) {
            return {};
        }
        if (!add(*place, name)) {
            if (m_refused.insert(name).second) {
                m_found.problems.push_back(
                    {ErrorCode::NotFound,
                     Severity::Warning,
                     sentence(
                         "A settings file or its code refers to a Python file that is missing: %1",
                         name),
                     "Copy it to the config.json",
                     {}});
                m_found.problems.back().where.file = (place->path / name).string();
            }
            return {};
        }
        std::vector<std::string> next;
        const std::size_t slash = module.rfind('/');
        const std::string folder = slash == module.npos ? "" : module.substr(0, slash + 1);
        for (const std::string& each : relativeImports(asText(m_found.files.back().bytes))) {
            next.push_back(folder + each);
        }
        return next;
    }

    void decide() {
        std::vector<PlanDecision> places;
        std::vector<std::string> code;
        for (const SidecarPlace& place : m_places) {
            const auto files = m_from.find(place.name);
            if (files != m_from.end()) {
                places.push_back({DecisionId::FilesCopied,
                                  sentence("%1 from %2", files->second, place.name),
                                  place.like  ? Sentence("As requested by --like; copied unchanged")
                                  : place.own ? Sentence("Beside the weights; copied unchanged")
                                              : "The nearest folder that has them; copied "
                                                "unchanged"});
                m_from.erase(files);
            }
        }
        for (const Sidecar& file : m_found.files) {
            if (file.name.ends_with(".py")) {
                code.push_back(file.name);
            }
        }
        m_found.decisions.insert(m_found.decisions.begin(), places.begin(), places.end());
        if (!code.empty()) {
            m_found.decisions.push_back(
                {DecisionId::OwnCode,
                 sentence("%1 (%2)", listed(code), counting(code.size(), "file")),
                 "Contains code that a loader runs only with trust_remote_code; it was copied, not "
                 "run"});
        }
    }

    std::vector<SidecarPlace> m_places; ///< nearest first
    bool m_dequantized;
    bool m_modules;
    const SidecarPlace* m_config = nullptr;
    SidecarSearch m_found;
    std::uint64_t m_bytes = 0;
    std::set<std::string> m_refused;
    std::map<std::string, std::string> m_from; ///< names by place
};

} // namespace

std::optional<ModelConfig> sidecarFields(std::span<const Sidecar> sidecars, std::string_view name) {
    const auto found = std::ranges::find(sidecars, name, &Sidecar::name);
    if (found == sidecars.end()) {
        return std::nullopt;
    }
    auto config = ModelConfig::parse(asText(found->bytes));
    return config ? std::optional(std::move(*config)) : std::nullopt;
}

bool hasModules(const Checkpoint& source) {
    bool inFolders = false;
    bool beside = false;
    for (const TensorEntry& tensor : source.tensors()) {
        if (tensor.role == Role::Weight && !tensor.pieces.empty()) {
            const std::size_t file = tensor.pieces.front().file.position();
            const bool inFolder = source.files()[file].path.find('/') != std::string::npos;
            inFolders = inFolders || inFolder;
            beside = beside || !inFolder;
        }
    }
    return inFolders && beside;
}

std::set<std::string> copiedTensors(const Checkpoint& source, std::span<const Sidecar> sidecars) {
    std::set<std::string> tensors;
    for (const TensorEntry& tensor : source.tensors()) {
        const bool copied =
            !tensor.pieces.empty() &&
            std::ranges::find(sidecars, source.files()[tensor.pieces.front().file.position()].path,
                              &Sidecar::name) != sidecars.end();
        if (copied) {
            tensors.insert(tensor.name);
        }
    }
    return tensors;
}

std::optional<FoundConfig> findModelConfig(const Checkpoint& source) {
    auto places = sidecarPlaces(source, {});
    const std::vector<Sidecar> files =
        places ? Search(std::move(*places), false, false).config() : std::vector<Sidecar>();
    auto found = sidecarFields(files, "config.json");
    return found ? std::optional(FoundConfig{files.front().origin, std::move(*found)})
                 : std::nullopt;
}

Result<SidecarSearch> findSidecars(const Checkpoint& source, const fs::path& like, bool dequantized,
                                   bool modules) {
    CAIRN_TRY(std::vector<SidecarPlace> places, sidecarPlaces(source, like));
    return Search(std::move(places), dequantized, modules).run();
}

} // namespace cairn
