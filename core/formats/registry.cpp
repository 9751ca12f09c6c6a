// SPDX-License-Identifier: Apache-2.0
#include "core/base/glob.h"
#include "core/formats/checkpoint_names.h"
#include "core/formats/content_mismatch.h"
#include "core/formats/format.h"
#include "core/formats/unknown_format.h"
#include "core/io/location.h"
#include "core/io/remote_name.h"
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

/// If an edit of the file's header was interrupted, that is the error to report.
Error orUnfinishedEdit(const Folder& folder, const std::string& name, Error error) {
    auto unfinished = unfinishedEdit(folder, name);
    return unfinished ? std::move(unfinished->error) : std::move(error);
}

/// Leaves the open file in the request.
Result<const FormatInfo*> formatOfFile(OpenRequest& request) {
    CAIRN_TRY(request.source, request.folder->openFile(request.name));
    const ByteSource& source = *request.source;
    const std::uint64_t size = source.size();
    CAIRN_TRY(const auto head, readRange(source, {0, std::min(size, kHeadBytes)}));
    const std::uint64_t tailLength = std::min(size, kTailBytes);
    CAIRN_TRY(const auto tail, readRange(source, {size - tailLength, tailLength}));
    const Candidate candidate{request.path, false, size, head, tail, {}, request.folder};
    if (auto error = formats::contentMismatch(candidate.head, candidate.tail, candidate.size,
                                              candidate.path.string())) {
        return orUnfinishedEdit(*request.folder, request.name, std::move(*error));
    }
    const FormatInfo* format = bestMatch(candidate);
    if (format == nullptr) {
        auto cut = cutArchive(candidate, request.source);
        return orUnfinishedEdit(*request.folder, request.name,
                                cut ? std::move(*cut) : unknownFormat(candidate));
    }
    return format;
}

Result<const FormatInfo*> formatOfFolder(const OpenRequest& request) {
    const Candidate candidate{request.path, true, 0, {}, {}, request.entries, request.folder};
    const FormatInfo* format = bestMatch(candidate);
    return format != nullptr ? Result<const FormatInfo*>(format) : unknownFormat(candidate);
}

Probed probed(OpenRequest request, Result<const FormatInfo*> format) {
    return format ? Probed{*format, std::move(request), {}}
                  : Probed{nullptr, std::move(request), std::move(format).error()};
}

Probed probeFile(FolderPtr folder, std::string name, std::filesystem::path path) {
    OpenRequest request;
    request.folder = std::move(folder);
    request.name = std::move(name);
    request.path = std::move(path);
    auto format = formatOfFile(request);
    return probed(std::move(request), std::move(format));
}

Probed probeFolder(FolderPtr folder, std::vector<FolderEntry> entries, std::filesystem::path path) {
    OpenRequest request;
    request.folder = std::move(folder);
    request.path = std::move(path);
    request.entries = std::move(entries);
    auto format = formatOfFolder(request);
    return probed(std::move(request), std::move(format));
}

Probed notOpened(const Location& named, Error error) {
    Probed none;
    none.request.path = named.path();
    none.problem = std::move(error);
    return none;
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
        CAIRN_TRY(auto entries, (*inner)->list());
        return openProbed(probeFolder(*inner, std::move(entries), path), cancel, depth + 1);
    }
    return openProbed(probeFile(folder, std::string(member), path), cancel, depth + 1);
}

Result<CheckpointPtr> openProbed(Probed probed, const CancelToken& cancel, int depth) {
    if (probed.problem) {
        return *std::move(probed.problem);
    }
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
std::optional<Probed> onlyFileOf(const Probed& folder) {
    const auto names = filesOfCheckpoints(folder.request.entries);
    if (names.size() != 1) {
        return std::nullopt;
    }
    Probed only = probeLocation(folder.request.folder->path() / names.front());
    return only.format != nullptr ? std::optional(std::move(only)) : std::nullopt;
}

/// A file that is not a checkpoint may belong to one. A JSON file that the folder's checkpoint was
/// read from (its index, its settings) opens that checkpoint; for any other file the error's hint
/// names the folder.
Result<CheckpointPtr> openAround(const Location& file, Error error, const CancelToken& cancel) {
    auto folder = file.openParent();
    auto entries = entriesOf(folder);
    if (!entries) {
        return error;
    }
    Probed around = probeFolder(*folder, std::move(*entries), (*folder)->path());
    if (around.format == nullptr) {
        return error;
    }
    error.hint = sentence("Its folder is a checkpoint (format %1): open %2", around.format->id,
                          (*folder)->path().string());
    if (file.path().extension() != ".json") {
        return error; // may be a damaged part of it
    }
    auto whole = openProbed(std::move(around), cancel, 0);
    const auto isIt = [&](const CheckpointFile& each) {
        return each.path == file.path().filename();
    };
    return whole && std::ranges::any_of((*whole)->files(), isIt) ? std::move(whole)
                                                                 : std::move(error);
}

} // namespace

bool mayExist(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::exists(path, error) || error) {
        return true;
    }
    const auto place = namesRemote(path.native()) ? std::optional(openRemote(path)) : std::nullopt;
    return place && (*place || place->error().code != ErrorCode::NotFound);
}

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

Probed probeLocation(const Location& named) {
    return probeLocation(named, named.list());
}

Probed probeLocation(const Location& named, Result<Location::Listed> listed) {
    if (listed && listed->place.isFolder()) {
        return probeFolder(std::move(listed->place.folder), std::move(listed->entries),
                           named.path());
    }
    if (listed) {
        return probeFile(std::move(listed->place.folder), std::move(listed->place.name),
                         named.path());
    }
    auto found = findSave(named);
    if (!found) {
        return notOpened(named, std::move(listed).error());
    }
    if (!found->save.hasIndex) {
        OpenRequest request;
        request.folder = std::move(found->folder);
        request.name = std::move(found->save.name);
        request.path = named.path();
        request.entries = std::move(found->entries);
        return probed(std::move(request), found->format);
    }
    auto index = Location(named.path().parent_path() / found->save.files.front()).open();
    return index ? probeFile(std::move(index->folder), std::move(index->name), named.path())
                 : notOpened(named, std::move(index).error());
}

Result<CheckpointPtr> openCheckpoint(const Location& named, const CancelToken& cancel) {
    return openCheckpoint(probeLocation(named), cancel);
}

Result<CheckpointPtr> openCheckpoint(Probed probed, const CancelToken& cancel) {
    if (probed.problem && probed.problem->code == ErrorCode::NotACheckpoint) {
        if (!probed.isFolder()) {
            return openAround(probed.request.path, *std::move(probed.problem), cancel);
        }
        if (auto only = onlyFileOf(probed)) {
            return openCheckpoint(*std::move(only), cancel);
        }
    }
    const std::string name = probed.request.name;
    CAIRN_TRY(CheckpointPtr opened, openProbed(std::move(probed), cancel, 0));
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
    OpenRequest request;
    request.folder = folder;
    request.name = name;
    request.path = folder->path() / name;
    return formatOfFile(request);
}

Result<const FormatInfo*> detectFormat(const Location& named) {
    Probed probed = probeLocation(named);
    return probed.problem ? Result<const FormatInfo*>(*std::move(probed.problem)) : probed.format;
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
