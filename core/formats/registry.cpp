// SPDX-License-Identifier: Apache-2.0
#include "core/base/glob.h"
#include "core/formats/checkpoint_names.h"
#include "core/formats/content_mismatch.h"
#include "core/formats/format.h"
#include "core/formats/unknown_format.h"
#include "core/io/location.h"
#include "core/model/names/shard_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace cairn {

using formats::cutArchive;
using formats::filesOfCheckpoints;
using formats::unknownFormat;

namespace {

constexpr std::uint64_t kHeadBytes = 4096;
constexpr std::uint64_t kTailBytes = 65536;
constexpr int kMaxNesting = 4; // limit on checkpoint folders inside checkpoint folders

struct Probed {
    const FormatInfo* format = nullptr;
    OpenRequest request;
};

/// If an edit of the file's header was interrupted, that is the error to report.
Error orUnfinishedEdit(const Folder& folder, const std::string& name, Error error) {
    auto unfinished = unfinishedEdit(folder, name);
    return unfinished ? std::move(unfinished->error) : std::move(error);
}

Result<Probed> probeFile(FolderPtr folder, std::string name, std::filesystem::path path) {
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(name));
    const std::uint64_t size = source->size();
    CAIRN_TRY(const auto head, readRange(*source, {0, std::min(size, kHeadBytes)}));
    const std::uint64_t tailLength = std::min(size, kTailBytes);
    CAIRN_TRY(const auto tail, readRange(*source, {size - tailLength, tailLength}));
    const Candidate candidate{path, false, size, head, tail, {}, folder};
    if (auto error = formats::contentMismatch(candidate.head, candidate.tail, candidate.size,
                                              candidate.path.string())) {
        return orUnfinishedEdit(*folder, name, std::move(*error));
    }
    Probed probed{bestMatch(candidate),
                  {std::move(folder), std::move(name), std::move(path), {}, {}, {}, {}, source}};
    if (probed.format == nullptr) {
        auto cut = cutArchive(candidate, source);
        return orUnfinishedEdit(*probed.request.folder, probed.request.name,
                                cut ? std::move(*cut) : unknownFormat(candidate));
    }
    return probed;
}

Result<Probed> probeFolder(FolderPtr folder, std::filesystem::path path) {
    CAIRN_TRY(auto entries, folder->list());
    const Candidate candidate{path, true, 0, {}, {}, entries, folder};
    const FormatInfo* format = bestMatch(candidate);
    if (format == nullptr) {
        return unknownFormat(candidate);
    }
    return Probed{format,
                  {std::move(folder), {}, std::move(path), std::move(entries), {}, {}, {}, {}}};
}

Result<CheckpointPtr> openProbed(Probed probed, const CancelToken& cancel, int depth);

Result<CheckpointPtr> openMember(const FolderPtr& folder, std::string_view member,
                                 const CancelToken& cancel, int depth) {
    if (depth >= kMaxNesting) {
        return fail(ErrorCode::LimitExceeded, "Checkpoints are nested too deeply")
            .inFile((folder->path() / member).string());
    }
    const std::filesystem::path path = folder->path() / member;
    if (auto inner = folder->openFolder(member)) {
        CAIRN_TRY(Probed probed, probeFolder(*inner, path));
        return openProbed(std::move(probed), cancel, depth + 1);
    }
    CAIRN_TRY(Probed probed, probeFile(folder, std::string(member), path));
    return openProbed(std::move(probed), cancel, depth + 1);
}

Result<CheckpointPtr> openProbed(Probed probed, const CancelToken& cancel, int depth) {
    probed.request.cancel = cancel;
    const FolderPtr folder = probed.request.folder;
    probed.request.openNested = [folder, cancel, depth](std::string_view member) {
        return openMember(folder, member, cancel, depth);
    };
    probed.request.openInside = [cancel, depth](const FolderPtr& other, std::string_view member) {
        return openMember(other, member, cancel, depth);
    };
    auto opened = probed.format->open(probed.request);
    if (!opened && !probed.request.name.empty()) {
        return orUnfinishedEdit(*folder, probed.request.name, std::move(opened).error());
    }
    return opened;
}

/// A checkpoint of several files, named by their common part (`named` itself does not exist).
struct FoundSave {
    const FormatInfo* format = nullptr;
    FolderPtr folder;
    std::vector<FolderEntry> entries;
    NamedSave save;
};

std::optional<FoundSave> findSave(const Location& named) {
    if (!named.path().has_filename() || named.exists()) {
        return std::nullopt;
    }
    auto folder = named.openParent();
    auto entries = entriesOf(folder);
    if (!entries) {
        return std::nullopt;
    }
    for (const FormatInfo* format : builtinFormats()) {
        for (NamedSave& save :
             format->savesIn != nullptr ? format->savesIn(*entries) : std::vector<NamedSave>()) {
            if (save.name == named.path().filename()) {
                return FoundSave{format, std::move(*folder), std::move(*entries), std::move(save)};
            }
        }
    }
    return std::nullopt;
}

Result<Probed> probe(const Location& named) {
    auto found = findSave(named);
    if (found && !found->save.hasIndex) {
        return Probed{found->format,
                      {std::move(found->folder),
                       std::move(found->save.name),
                       named.path(),
                       std::move(found->entries),
                       {},
                       {},
                       {},
                       {}}};
    }
    const Location first =
        found ? Location(named.path().parent_path() / found->save.files.front()) : named;
    CAIRN_TRY(Location::Opened opened, first.open());
    return opened.isFolder()
               ? probeFolder(std::move(opened.folder), named.path())
               : probeFile(std::move(opened.folder), std::move(opened.name), named.path());
}

/// Notes that one of several files was opened alone; the others were not examined.
Result<CheckpointPtr> notePart(CheckpointPtr checkpoint, const std::string& name) {
    const auto shard = splitShardName(name);
    const bool alone = std::ranges::all_of(checkpoint->files(), [&](const CheckpointFile& file) {
        return file.path == name || file.source != nullptr; // or data decoded from it
    });
    if (!shard || shard->count < 2 || !alone ||
        checkpoint->completeness() != Completeness::Complete) {
        return checkpoint;
    }
    CheckpointData data = checkpoint->data();
    data.completeness = Completeness::Unknown;
    data.why.push_back(sentence("The file is one of %1 according to its name, and was opened alone",
                                shard->count));
    data.notices.push_back(
        {Severity::Warning,
         fail(ErrorCode::MissingShard, "The other files of this checkpoint are not read")
             .inFile(name)
             .withHint("Open the folder that contains all of them")});
    return Checkpoint::make(std::move(data));
}

/// The file to open for a folder that contains one checkpoint (and maybe the same model in other
/// formats).
std::optional<Location> onlyFileOf(const Folder& folder) {
    const auto entries = folder.list();
    const auto names = entries ? filesOfCheckpoints(*entries) : std::vector<std::string>();
    if (names.size() != 1) {
        return std::nullopt;
    }
    const Location only = folder.path() / names.front();
    return detectFormat(only) ? std::optional(only) : std::nullopt;
}

/// A file that is not a checkpoint may belong to one. A JSON file that the folder's checkpoint was
/// read from (its index, its settings) opens that checkpoint; for any other file the error's hint
/// names the folder.
Result<CheckpointPtr> openAround(const Location& file, Error error, const CancelToken& cancel) {
    auto folder = file.openParent();
    auto probed = folder.and_then(
        [](const FolderPtr& opened) { return probeFolder(opened, opened->path()); });
    if (!probed) {
        return error;
    }
    error.hint = sentence("Its folder is a checkpoint (format %1): open %2", probed->format->id,
                          (*folder)->path().string());
    if (file.path().extension() != ".json") {
        return error; // may be a damaged part of it
    }
    auto whole = openProbed(std::move(*probed), cancel, 0);
    const auto isIt = [&](const CheckpointFile& each) {
        return each.path == file.path().filename();
    };
    return whole && std::ranges::any_of((*whole)->files(), isIt) ? std::move(whole)
                                                                 : std::move(error);
}

} // namespace

std::filesystem::path indexFileOf(const Location& named) {
    const auto files = filesOfSave(named);
    return files.empty() ? named.path() : files.front();
}

std::vector<std::filesystem::path> filesOfSave(const Location& named) {
    const auto found = findSave(named);
    std::vector<std::filesystem::path> files;
    for (const std::string& file : found ? found->save.files : std::vector<std::string>()) {
        files.push_back(named.path().parent_path() / file);
    }
    return files;
}

bool namesACheckpoint(std::string_view name) {
    static const std::vector<Glob> globs = [] {
        std::vector<Glob> all;
        for (const FormatInfo* format : builtinFormats()) {
            for (const std::string_view pattern : format->globs) {
                if (auto glob = Glob::parse(pattern)) {
                    all.push_back(std::move(*glob));
                }
            }
        }
        return all;
    }();
    return std::ranges::any_of(globs, [&](const Glob& glob) { return glob.matches(name); });
}

const FormatInfo* findFormat(std::string_view id) {
    for (const FormatInfo* format : builtinFormats()) {
        if (format->id == id) {
            return format;
        }
    }
    return nullptr;
}

Result<CheckpointPtr> openCheckpoint(const Location& named, const CancelToken& cancel) {
    auto probed = probe(named);
    if (!probed && probed.error().code == ErrorCode::NotACheckpoint) {
        const auto opened = named.open();
        if (!opened || !opened->isFolder()) {
            return openAround(named, std::move(probed).error(), cancel);
        }
        if (const auto only = onlyFileOf(*opened->folder)) {
            return openCheckpoint(*only, cancel);
        }
    }
    if (!probed) {
        return std::move(probed).error();
    }
    const std::string name = probed->request.name;
    CAIRN_TRY(CheckpointPtr opened, openProbed(std::move(*probed), cancel, 0));
    return notePart(std::move(opened), name);
}

const FormatInfo* bestMatch(const Candidate& candidate) {
    const FormatInfo* maybe = nullptr;
    for (const FormatInfo* format : builtinFormats()) {
        const Match match = format->probe(candidate);
        if (match == Match::Yes) {
            return format;
        }
        maybe = match == Match::Maybe && maybe == nullptr ? format : maybe;
    }
    return maybe;
}

Result<const FormatInfo*> detectFormat(const FolderPtr& folder, std::string_view name) {
    CAIRN_TRY(const Probed probed, probeFile(folder, std::string(name), folder->path() / name));
    return probed.format;
}

Result<const FormatInfo*> detectFormat(const Location& named) {
    CAIRN_TRY(const Probed probed, probe(named));
    return probed.format;
}

MemberPath splitMember(std::string_view text) {
    const std::size_t hash = text.rfind('#');
    const Location all = std::string(text);
    std::error_code error;
    if (hash == std::string_view::npos || std::filesystem::exists(indexFileOf(all), error)) {
        return {all, {}};
    }
    return {std::string(text.substr(0, hash)), std::string(text.substr(hash + 1))};
}

} // namespace cairn
