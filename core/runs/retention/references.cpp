// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/references.h"

#include "core/codec/archive/container.h"
#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/model/names/file_names.h"
#include "core/model/names/tokens.h"
#include "core/runs/scan/export_decision.h"
#include "core/runs/scan/scan_names.h"
#include "core/runs/scan/scan_relations.h"

#include <algorithm>
#include <functional>
#include <map>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxInside = 2'000'000; // limit on entries in the run's folder
constexpr std::size_t kMaxBeside = 100'000;
constexpr int kInsideLevels = 64;
constexpr int kPointersAbove = 3; // folders
constexpr std::size_t kMaxReferenceNotices = 20;
constexpr std::uint64_t kMaxSettings = 65536; // of a file in the run that may name a checkpoint

/// The words of a text that may be names or paths.
std::vector<std::string> tokensOf(std::string_view text) {
    std::vector<std::string> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end =
            std::min(text.find_first_of(" \t\r\n\"',;:[]{}()<>", at), text.size());
        if (end > at) {
            tokens.emplace_back(text.substr(at, end - at));
        }
        at = end + 1;
    }
    return tokens;
}

/// Whether each line of the text is one path or name, or a key and one. A sentence is no pointer.
bool isListOfNames(std::string_view text) {
    constexpr std::size_t kMostWords = 2;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (tokensOf(text.substr(0, end)).size() > kMostWords) {
            return false;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
}

/// The values of keys such as "best" and "resume_from_checkpoint", in JSON, YAML or key = value. A
/// key that occurs again is that of a log.
std::vector<std::string> valuesOfReferences(std::string_view text) {
    constexpr std::string_view kAround = " \t\"'[{";
    constexpr std::string_view kEnds = " \t\r\n\"',;{}[]";
    std::map<std::string, std::vector<std::string>, std::less<>> values;
    for (std::size_t at = text.find_first_of(":="); at != std::string_view::npos;
         at = text.find_first_of(":=", at + 1)) {
        const std::size_t keyEnd = text.substr(0, at).find_last_not_of(kAround);
        const std::size_t valueBegin = text.find_first_not_of(kAround, at + 1);
        if (keyEnd == std::string_view::npos || valueBegin == std::string_view::npos) {
            continue;
        }
        const std::size_t before = text.substr(0, keyEnd + 1).find_last_of(kEnds);
        const std::size_t keyBegin = before == std::string_view::npos ? 0 : before + 1;
        const std::string_view key = text.substr(keyBegin, keyEnd + 1 - keyBegin);
        if (!key.empty() && singlesOut(key)) {
            const std::size_t end = std::min(text.find_first_of(kEnds, valueBegin), text.size());
            values[std::string(key)].emplace_back(text.substr(valueBegin, end - valueBegin));
        }
    }
    std::vector<std::string> once;
    for (auto& [key, all] : values) {
        if (all.size() == 1) {
            once.push_back(std::move(all.front()));
        }
    }
    return once;
}

/// Finds the run's checkpoints by path and by name.
class Places {
public:
    explicit Places(ScannedRun& run) : m_list(run.checkpoints), m_root(resolved(run.path)) {
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            if (m_list[i].isLink()) {
                continue;
            }
            m_byPath.emplace(realOf(m_list[i].path), i);
            for (const fs::path& file : filesOfSave(m_list[i].path)) {
                m_byPath.emplace(realOf(file), i);
            }
            const fs::path name =
                *fs::path(m_list[i].name).begin(); // "step_100" of "step_100/model.pt"
            m_byName[name.string()].push_back(i);
            if (name.has_extension()) {
                m_byName[name.stem().string()].push_back(i);
            }
        }
    }

    /// Resolves links in the folders of a path, but not in its last component.
    static fs::path realOf(const fs::path& path) {
        std::error_code error;
        const fs::path plain = path.has_filename() ? path : path.parent_path();
        const fs::path parent =
            fs::canonical(plain.has_parent_path() ? plain.parent_path() : ".", error);
        return error ? plain.lexically_normal() : parent / plain.filename();
    }

    /// The checkpoint at this real path, or that contains it.
    std::optional<std::size_t> at(fs::path path) const {
        for (;;) {
            if (const auto found = m_byPath.find(path); found != m_byPath.end()) {
                return found->second;
            }
            if (!path.has_relative_path()) {
                return std::nullopt;
            }
            path = path.parent_path();
        }
    }

    /// Possible meanings of a number in a text that refers to a checkpoint.
    enum class Numbers : std::uint8_t { Names, Steps };

    /// The checkpoints to which a path, a name or a step in a file of `folder` refers.
    std::vector<std::size_t> resolveReference(const fs::path& folder, std::string text,
                                              Numbers numbers = Numbers::Names) const {
        text.resize(
            std::min(text.find("-?\?\?\?\?-of-"), text.size())); // TensorFlow's pattern for shards
        while (text.size() > 1 && text.ends_with('/')) {
            text.pop_back();
        }
        if (text.empty() || text.size() > kMaxPointer) {
            return {};
        }
        const fs::path named = resolved(folder / text);
        if (const auto found = at(named)) {
            return {*found};
        }
        if (isForeign(folder, named, text)) {
            return {};
        }
        if (text.find('/') == std::string::npos) { // a path of another system
            text = lastPathPart(text);
        }
        const fs::path path(text);
        for (auto part = path.end(); part != path.begin();) {
            if (const auto found = m_byName.find((--part)->string()); found != m_byName.end()) {
                return found->second;
            }
        }
        std::vector<std::size_t> meant;
        if (const auto step = names::decimal(text); step && numbers == Numbers::Steps) {
            for (std::size_t i = 0; i < m_list.size(); ++i) {
                if (!m_list[i].isLink() && m_list[i].step == *step) {
                    meant.push_back(i);
                }
            }
        }
        return meant;
    }

    /// Whether a text in `folder` that names nothing at its place means another run's checkpoint:
    /// it is in a folder that is neither the run's nor above it, and names an existing file or one
    /// of its own folder. Within the run a path of another machine means the run's own.
    [[nodiscard]] bool isForeign(const fs::path& folder, const fs::path& named,
                                 const std::string& text) const {
        const auto contains = [](const fs::path& outer, const fs::path& inner) {
            const fs::path below = inner.lexically_relative(outer);
            return !below.empty() && *below.begin() != "..";
        };
        const fs::path here = resolved(folder);
        if (contains(m_root, here)) {
            return false;
        }
        std::error_code error;
        return fs::exists(named, error) ||
               (!contains(here, m_root) && text.find('/') == std::string::npos);
    }

    static fs::path resolved(const fs::path& path) {
        std::error_code error;
        const fs::path real = fs::canonical(path, error);
        return error ? realOf(path) : real;
    }

private:
    const std::vector<ScannedCheckpoint>& m_list;
    fs::path m_root; ///< the run's folder
    std::map<fs::path, std::size_t> m_byPath;
    std::map<std::string, std::vector<std::size_t>> m_byName;
};

class Search {
public:
    Search(ScannedRun& run, const CancelToken& cancel)
        : m_run(run), m_places(run), m_cancel(cancel) {
        m_root = Places::resolved(run.path);
    }

    Result<std::vector<Notice>> run() {
        std::size_t budget = kMaxInside;
        CAIRN_CHECK(walk(
            m_root, {.level = 0, .most = kInsideLevels, .pointers = true, .inside = true}, budget));
        budget = kMaxBeside;
        int above = 1;
        for (fs::path folder = m_root; folder.has_relative_path(); ++above) {
            folder = folder.parent_path();
            const bool nearby = folder.has_relative_path(); // excludes paths in unrelated folders
            CAIRN_CHECK(walk(folder,
                             {.level = 0,
                              .most = above == 1 && nearby ? kBesideLevels : 0,
                              .pointers = above <= kPointersAbove,
                              .inside = false},
                             budget));
        }
        return std::move(m_notices);
    }

private:
    struct Depth {
        int level = 0;
        int most = 0;
        bool pointers = false;
        bool inside =
            false; ///< the run's folder: every file is examined, and failures are reported
    };

    void note(Error error) {
        if (m_notices.size() < kMaxReferenceNotices) {
            m_notices.push_back({Severity::Warning, std::move(error)});
        }
    }

    Result<void> walk(const fs::path& path, Depth depth, std::size_t& budget) {
        CAIRN_CHECK(m_cancel.check());
        const auto folder = Folder::open(path);
        const auto entries = entriesOf(folder, budget + 1);
        if (!entries || entries->size() > budget) {
            if (depth.inside || (entries && depth.level == 0)) {
                note(entries ? fail(ErrorCode::LimitExceeded,
                                    "The folder is too large to be searched for references")
                                   .inFile(path.string())
                             : entries.error());
            }
            return {};
        }
        budget -= entries->size();
        for (const FolderEntry& entry : *entries) {
            const fs::path at = path / entry.name;
            if (entry.kind == EntryKind::Folder) {
                const bool proceed =
                    depth.level < depth.most &&
                    (depth.inside || (at != m_root && !isSkippedFolder(entry.name)));
                if (proceed) {
                    CAIRN_CHECK(walk(
                        at, {depth.level + 1, depth.most, depth.pointers, depth.inside}, budget));
                }
            } else if (entry.kind == EntryKind::Link) {
                mark(m_places.at(Places::resolved(at)), at);
            } else if (entry.kind == EntryKind::File) {
                CAIRN_CHECK(m_cancel.check());
                readFile(at, entry, depth);
            }
        }
        return {};
    }

    void readFile(const fs::path& path, const FolderEntry& entry, const Depth& depth) {
        const bool everything = depth.inside || depth.level == 0;
        if (everything || entry.name.ends_with(".cairnz")) {
            markEarlier(path);
        }
        if (!depth.inside &&
            (entry.name == "MANIFEST.json" || entry.name.ends_with(".cairn.json"))) {
            markExports(path);
        } else if (entry.name == "adapter_config.json") {
            markBase(path);
        } else if (depth.pointers &&
                   entry.identity.size <= (depth.inside ? kMaxSettings : kMaxPointer) &&
                   (singlesOut(entry.name) || (everything && !m_places.at(path)))) {
            readPointer(path, entry.name, depth.inside);
        }
    }

    /// Beside the run and above it, only a list of names is a pointer, and a number is a step only
    /// in a file whose name states so.
    void readPointer(const fs::path& path, const std::string& name, bool inside) {
        const auto text = smallText(path, inside ? kMaxSettings : kMaxPointer);
        if (!text || text->find('\0') != std::string::npos) {
            return;
        }
        const bool isShort = text->size() <= kMaxPointer;
        const bool chosen = isShort && singlesOut(name) && (inside || isListOfNames(*text));
        const std::string first = pointerTarget(*text);
        const std::string_view line =
            std::string_view(*text).substr(0, text->find_last_not_of(" \t\r\n") + 1);
        const bool isLine = line.find('\n') == std::string_view::npos;
        const bool isTensorFlow = text->starts_with("model_checkpoint_path:");
        std::vector<std::string> all =
            chosen && !isTensorFlow ? tokensOf(*text) : std::vector<std::string>();
        if (isTensorFlow || isLine) {
            all.push_back(first);
        }
        if (inside && !chosen && !isTensorFlow) {
            for (std::string& each : valuesOfReferences(*text)) {
                all.push_back(std::move(each));
            }
        }
        const bool countsSteps = inside || name.find("step") != std::string::npos ||
                                 name.find("iter") != std::string::npos;
        const auto numbers =
            chosen && countsSteps ? Places::Numbers::Steps : Places::Numbers::Names;
        for (const std::string& each : all) {
            for (const std::size_t i :
                 m_places.resolveReference(path.parent_path(), each, numbers)) {
                mark(i, path);
            }
        }
    }

    /// The base of a delta, from its index: at its recorded path, else beside the archive.
    void markEarlier(const fs::path& path) {
        const auto folder = Folder::open(path.parent_path());
        const auto file = folder.and_then(
            [&](const FolderPtr& opened) { return opened->openFile(path.filename().string()); });
        const auto archive = file.and_then(
            [](const ByteSourcePtr& source) { return archive::openArchive(*source); });
        if (archive && archive->index.earlier) {
            const fs::path earlier = *archive->index.earlier;
            for (const fs::path& place : {earlier, earlier.filename()}) {
                for (const std::size_t i :
                     m_places.resolveReference(path.parent_path(), place.string())) {
                    mark(i, path);
                }
            }
        }
    }

    /// The checkpoint from which an adapter was trained.
    void markBase(const fs::path& path) {
        const auto text = smallText(path, std::uint64_t{1} << 20U);
        const auto base = text ? jsonText(*text, "base_model_name_or_path") : std::nullopt;
        if (base) {
            for (const std::size_t i : m_places.resolveReference(path.parent_path(), *base)) {
                mark(i, path);
            }
        }
    }

    void markExports(const fs::path& path) {
        std::uint64_t budget = kMaxManifestBytes;
        const auto manifest = readExport(path, budget);
        for (const FoundExport::Source& source :
             manifest ? manifest->sources : std::vector<FoundExport::Source>()) {
            for (ScannedCheckpoint& each : m_run.checkpoints) {
                if (!each.isLink() && isSource(Places::resolved(each.path), source, path)) {
                    each.exports.push_back(manifest->output);
                }
            }
        }
    }

    void mark(std::optional<std::size_t> i, const fs::path& by) {
        if (!i || m_places.at(by) == i) {
            return; // an empty file, or a part of a text
        }
        auto& all = m_run.checkpoints[*i].pointedBy;
        const fs::path below = by.lexically_relative(m_root);
        const bool inside = !below.empty() && below.begin()->string() != "..";
        const std::string name = inside ? below.string() : by.string();
        if (std::ranges::find(all, name) == all.end()) {
            all.push_back(name);
        }
    }

    ScannedRun& m_run;
    Places m_places;
    const CancelToken& m_cancel;
    fs::path m_root;
    std::vector<Notice> m_notices;
};

} // namespace

Result<std::vector<Notice>> markReferences(ScannedRun& run, const CancelToken& cancel) {
    return Search(run, cancel).run();
}

} // namespace cairn
