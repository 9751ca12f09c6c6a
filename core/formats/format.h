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

/// What every probe is offered; read once by whoever asks for a match. What a probe examines
/// besides, it opens through `folder`, as the reader will.
struct Candidate {
    std::filesystem::path path;
    bool isFolder = false;
    std::uint64_t size = 0;               ///< of a file
    std::span<const std::byte> head;      ///< first bytes of a file, up to 4 KiB
    std::span<const std::byte> tail;      ///< last bytes of a file, up to 64 KiB
    std::span<const FolderEntry> entries; ///< of a folder, natural order
    FolderPtr folder;                     ///< the folder itself; of a file the one that it is in
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

/// Of a folder and what is in it, which must outlive it.
inline Candidate candidateOf(const FolderPtr& folder, std::span<const FolderEntry> entries) {
    return {folder->path(), true, 0, {}, {}, entries, folder};
}

/// What a reader is given. A file: `folder` is the one that it is in and `name` its name there. A
/// folder: `folder` is the checkpoint itself and `name` is empty.
struct OpenRequest {
    FolderPtr folder;
    std::string name;
    std::filesystem::path path;       ///< as the user named it
    std::vector<FolderEntry> entries; ///< of a folder checkpoint
    CancelToken cancel;
    /// Opens a member (file or sub-folder) as a checkpoint of its own through the registry, so that
    /// a format made of other formats needs none of their headers.
    std::function<Result<CheckpointPtr>(std::string_view member)> openNested;
    /// As openNested, for a member of another folder: one whose files are inside a file
    /// (io/member_folder.h).
    std::function<Result<CheckpointPtr>(const FolderPtr& folder, std::string_view member)>
        openInside;
    ByteSourcePtr source; ///< of a file, as its probe read it; null: not open yet
    /// The file to be read.
    [[nodiscard]] Result<ByteSourcePtr> openSelf() const {
        return source != nullptr ? Result<ByteSourcePtr>(source) : folder->openFile(name);
    }
};

/// A checkpoint that is several files of a folder, which may hold more of them.
struct NamedSave {
    std::string name; ///< what the files' names have in common: it is opened as "folder/name"
    std::vector<std::string> files; ///< at least one
    bool hasIndex = false; ///< the first file stands for all: it is what is probed and opened
};

/// A format is data: one constant `cairn::formats::<name>::kFormat` in each folder, listed by
/// core/formats/CMakeLists.txt.
struct FormatInfo {
    std::string_view id;    ///< "safetensors"
    std::string_view title; ///< "Safetensors"
    std::span<const std::string_view> globs;
    /// Content decides, never the extension alone. Yes: surely mine; Maybe: only if nobody is sure.
    Match (*probe)(const Candidate&);
    Result<CheckpointPtr> (*open)(const OpenRequest&);
    /// Pure: where everything goes in the output files. Null: this format is read-only.
    /// Fails: DtypeNotRepresentable, NameNotRepresentable.
    Result<OutputLayout> (*layout)(const LayoutRequest&) = nullptr;
    /// A folder that the probe knows, but that only holds several checkpoints: opening it opens one
    /// of them, and an experiment lists those inside, not the folder. Null: never.
    bool (*isSeries)(const Candidate&) = nullptr;
    /// Set by a format whose checkpoints are several files beside each other ("ckpt-5.index",
    /// "ckpt-5.data-00000-of-00001"; "step100_rank0.pt", "step100_rank1.pt", "step200_rank0.pt"):
    /// those of a folder, by names alone. An experiment lists each of them, even when the folder
    /// can be opened, too. Null, or nothing: the folder is one checkpoint or none.
    std::vector<NamedSave> (*savesIn)(std::span<const FolderEntry>) = nullptr;
    /// The header of one file with names and metadata changed, for edits in place. Reads only.
    /// Null: headers of this format cannot be edited apart from the data. Fails besides:
    /// InvalidArgument, DuplicateTensor, NameNotRepresentable, LimitExceeded, NotInPlace.
    Result<EditedHeader> (*editHeader)(const ByteSource& source,
                                       const HeaderChanges& changes) = nullptr;
    /// What `layout` can write.
    OutputTraits writes = {};
    /// `pack` writes it: compressed, so that sizes are known only afterwards; `unpack` reads it.
    bool isPacked = false;
    /// A folder of it is a run of one save, unless its name states which save of a run it is: files
    /// that are together without a trainer's index.
    bool folderIsRun = false;
    /// How the index ends that a writer publishes last: a folder without one is not finished.
    /// Empty: not known by names.
    std::string_view lastFile = {};
};

/// Every built-in format, in probe order.
std::span<const FormatInfo* const> builtinFormats();
const FormatInfo* findFormat(std::string_view id);

/// Opens a file or folder as a checkpoint: index only, nothing executed, no tensor data read. Any
/// thread. A folder that is none itself but holds just one file that may be one opens that file,
/// which then is the checkpoint's path; a JSON file that a checkpoint's folder is made of (its
/// index, its settings) opens that folder. Fails: NotFound, PermissionDenied, NotRegularFile,
/// EmptyFile, ZeroFilled, LfsPointer, HtmlPage, NotACheckpoint, and the format's own codes. `named`
/// may not carry a "#member"; see splitMember.
Result<CheckpointPtr> openCheckpoint(const Location& named, const CancelToken& cancel = {});

/// The format that a location would be opened as; NotACheckpoint and the like as above.
Result<const FormatInfo*> detectFormat(const Location& named);
/// As detectFormat, of a file in a folder that is open.
Result<const FormatInfo*> detectFormat(const FolderPtr& folder, std::string_view name);

/// The first format that is sure, else the first that may know the candidate; null: none does.
const FormatInfo* bestMatch(const Candidate& candidate);

/// All files of a checkpoint that is named by what they have in common (FormatInfo::savesIn), the
/// index first; empty: `named` is there itself, or names none.
std::vector<std::filesystem::path> filesOfSave(const Location& named);

/// The file that stands for a checkpoint on the disk: the first of filesOfSave(), else `named`.
std::filesystem::path indexFileOf(const Location& named);

/// "ckpt.pt#model.layers.0" -> location and subtree; a '#' that is part of an existing file's name
/// is left alone.
struct MemberPath {
    Location location;
    std::string member;
};
MemberPath splitMember(std::string_view text);

} // namespace cairn
