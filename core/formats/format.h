// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/io/folder.h"
#include "core/io/location.h"
#include "core/model/checkpoint.h"
#include "core/model/header_edit.h"
#include "core/model/output_layout.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

enum class Match : std::uint8_t { No, Maybe, Yes };

/// The input of every probe, read once by the caller. Anything else a probe opens through `folder`,
/// like the reader.
struct Candidate {
    std::filesystem::path path;
    bool isFolder = false;
    std::uint64_t size = 0;               ///< for a file
    std::span<const std::byte> head;      ///< a file's first bytes, up to 4 KiB
    std::span<const std::byte> tail;      ///< a file's last bytes, up to 64 KiB
    std::span<const FolderEntry> entries; ///< a folder's entries, in natural order
    FolderPtr folder; ///< the folder itself, or the folder that contains the file
    /// Fails as Folder::openFolder().
    [[nodiscard]] Result<FolderPtr> openFolder(std::string_view name) const {
        return folder != nullptr
                   ? folder->openFolder(name)
                   : Result<FolderPtr>(
                         fail(ErrorCode::NotFound, "Cannot open this path without its folder"));
    }
    [[nodiscard]] bool hasEntry(std::string_view name) const {
        return std::ranges::any_of(entries,
                                   [&](const FolderEntry& entry) { return entry.name == name; });
    }
    [[nodiscard]] bool hasEntryEnding(std::string_view suffix) const {
        return std::ranges::any_of(
            entries, [&](const FolderEntry& entry) { return entry.name.ends_with(suffix); });
    }
};

/// A candidate for a folder and its entries, which must outlive it.
inline Candidate candidateOf(const FolderPtr& folder, std::span<const FolderEntry> entries) {
    return {folder->path(), true, 0, {}, {}, entries, folder};
}

/// The input of a reader. For a file, `folder` contains it and `name` is its name there. For a
/// folder, `folder` is the checkpoint itself and `name` is empty.
struct OpenRequest {
    FolderPtr folder;
    std::string name;
    std::filesystem::path path;       ///< as the user named it
    std::vector<FolderEntry> entries; ///< for a folder
    CancelToken cancel;
    /// Opens a member (file or sub-folder) as a separate checkpoint through the registry, so that a
    /// format that consists of other formats does not include their headers.
    std::function<Result<CheckpointPtr>(std::string_view member)> openNested;
    /// As openNested, for a member of another folder, such as one whose files are inside a file
    /// (io/member_folder.h).
    std::function<Result<CheckpointPtr>(const FolderPtr& folder, std::string_view member)>
        openInside;
    ByteSourcePtr source; ///< for a file that its probe has opened; null: not open yet
    /// Opens the file to be read.
    [[nodiscard]] Result<ByteSourcePtr> openSelf() const {
        return source != nullptr ? Result<ByteSourcePtr>(source) : folder->openFile(name);
    }
};

/// A checkpoint that consists of several files in a folder, which may contain more such
/// checkpoints.
struct NamedSave {
    std::string name; ///< common part of the file names: the checkpoint is opened as "folder/name"
    std::vector<std::string> files; ///< at least one
    bool hasIndex = false;          ///< the first file is the index, which is probed and opened
};

/// A format is data: each folder defines one constant `cairn::formats::<name>::kFormat`, listed by
/// core/formats/CMakeLists.txt.
struct FormatInfo {
    std::string_view id;    ///< "safetensors"
    std::string_view title; ///< "Safetensors"
    std::span<const std::string_view> globs;
    /// Decides by content, never by the extension alone. Yes: certain; Maybe: used only if no
    /// format is certain.
    Match (*probe)(const Candidate&);
    Result<CheckpointPtr> (*open)(const OpenRequest&);
    /// Pure: computes the layout of the output files. Null: this format is read-only. Fails:
    /// DtypeNotRepresentable, NameNotRepresentable.
    Result<OutputLayout> (*layout)(const LayoutRequest&) = nullptr;
    /// Whether a folder that the probe accepts only contains several checkpoints: opening it opens
    /// one of them, and an experiment lists those inside, not the folder. Null: never.
    bool (*isSeries)(const Candidate&) = nullptr;
    /// Set by formats whose checkpoints are several files in one folder ("ckpt-5.index",
    /// "ckpt-5.data-00000-of-00001"; "step100_rank0.pt", "step100_rank1.pt", "step200_rank0.pt"):
    /// the checkpoints in a folder, found by file names only. An experiment lists each of them,
    /// even if the folder itself can be opened, too. Null or an empty result: the folder is one
    /// checkpoint or none.
    std::vector<NamedSave> (*savesIn)(std::span<const FolderEntry>) = nullptr;
    /// The header of one file with changed names and metadata, for edits in place. Reads only.
    /// Null: headers of this format cannot be edited without the data. Fails also with:
    /// InvalidArgument, DuplicateTensor, NameNotRepresentable, LimitExceeded, NotInPlace.
    Result<EditedHeader> (*editHeader)(const ByteSource& source,
                                       const HeaderChanges& changes) = nullptr;
    /// Capabilities of `layout`.
    OutputTraits writes = {};
    /// Written by `pack` (compressed, so sizes are known only afterwards) and read by `unpack`.
    bool isPacked = false;
    /// A folder of this format is a run with one save, unless its name identifies it as one save of
    /// a run: the files have no trainer index.
    bool folderIsRun = false;
    /// Suffix of the index, which writers publish last: a folder without it is unfinished. Empty:
    /// cannot be recognised by name.
    std::string_view lastFile = {};
};

/// False only if the path certainly names nothing: true for a folder that cannot be read, and for
/// a host that does not respond. Any thread; accesses the disk or the network.
bool mayExist(const std::filesystem::path& path);

/// Every built-in format, in probe order.
std::span<const FormatInfo* const> builtinFormats();
const FormatInfo* findFormat(std::string_view id);

/// A location as probing found it, with what was opened, listed and read meanwhile. Whoever asks
/// about a location and opens it afterwards passes this on, so that nothing is done twice.
struct Probed {
    const FormatInfo* format = nullptr; ///< null: see `problem`
    OpenRequest request;                ///< without a folder if the location cannot be opened
    std::optional<Error> problem;

    [[nodiscard]] bool isFolder() const {
        return request.folder != nullptr && request.name.empty();
    }
    /// What Location::list() returned for a folder.
    [[nodiscard]] Location::Listed listed() const {
        return {{request.folder, {}}, request.entries};
    }
};

/// Fails (Probed::problem) with NotACheckpoint and others, as openCheckpoint().
Probed probeLocation(const Location& named);
/// `listed`: of named.list().
Probed probeLocation(const Location& named, Result<Location::Listed> listed);

/// Opens a file or folder as a checkpoint: reads only the index, executes nothing. Any thread. A
/// folder that is not a checkpoint but contains exactly one file that may be one opens that file;
/// its path becomes the checkpoint's path. A JSON file that a folder's checkpoint is read from (its
/// index, its settings) opens that folder. Fails: NotFound, PermissionDenied, NotRegularFile,
/// EmptyFile, ZeroFilled, LfsPointer, HtmlPage, NotACheckpoint, and the format's own codes. `named`
/// must not contain a "#member"; see splitMember.
Result<CheckpointPtr> openCheckpoint(const Location& named, const CancelToken& cancel = {});
Result<CheckpointPtr> openCheckpoint(Probed probed, const CancelToken& cancel = {});

/// The format that openCheckpoint() would use. Fails with NotACheckpoint and others, as above.
Result<const FormatInfo*> detectFormat(const Location& named);
/// As detectFormat, for a file in an open folder.
Result<const FormatInfo*> detectFormat(const FolderPtr& folder, std::string_view name);

/// The first format that is certain, else the first that answers Maybe; null: none.
const FormatInfo* bestMatch(const Candidate& candidate);

/// All files of a checkpoint named by their common part (FormatInfo::savesIn), the index first;
/// empty if `named` exists itself, or names no checkpoint.
std::vector<std::filesystem::path> filesOfSave(const Location& named);

/// The main file of a checkpoint on the disk: the first of filesOfSave(), else `named`.
std::filesystem::path indexFileOf(const Location& named);

/// "ckpt.pt#model.layers.0" -> location and subtree; a '#' in the name of an existing file is kept.
struct MemberPath {
    Location location;
    std::string member;
};
MemberPath splitMember(std::string_view text);

} // namespace cairn
