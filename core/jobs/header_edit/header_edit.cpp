// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/header_edit/header_edit.h"

#include "core/base/endian.h"
#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/io/movable_blocks.h"
#include "core/io/system_error.h"
#include "core/jobs/header_edit/header_edit_record.h"
#include "core/jobs/record/manifest.h"

#include <sys/stat.h>

#include <cerrno>
#include <fcntl.h>

namespace cairn {
namespace {

constexpr std::uint64_t kMaxIndex = std::uint64_t{64} << 20U;
constexpr std::string_view kIndexEnd = ".safetensors.index.json";

Error refusal(const std::filesystem::path& path, Sentence found, Sentence hint) {
    return fail(ErrorCode::NotInPlace, "Not editable in place")
        .inFile(path.string())
        .butFound(std::move(found))
        .withHint(std::move(hint));
}

/// Refuses links, folders and blobs before anything is opened for writing.
Result<void> checkKind(const std::filesystem::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return systemError(errno, "Cannot open this path").inFile(path.string());
    }
    if (S_ISLNK(status.st_mode)) {
        return refusal(path, "a symbolic link, whose target may be in use under its own name",
                       "Specify the file itself; copy a file of a Hugging Face cache with "
                       "`cairn-cli rename SRC -o OUT`");
    }
    if (S_ISDIR(status.st_mode)) {
        return refusal(path, "a folder, whose files and index cannot be changed atomically",
                       "`cairn-cli rename SRC -o OUT` writes a new one");
    }
    return {};
}

Result<void> checkPlace(const std::filesystem::path& path, const FileHandle& file,
                        const HeaderEditOptions& options) {
    std::error_code error;
    const auto parent = path.parent_path();
    if (parent.filename() == "blobs" &&
        std::filesystem::is_directory(parent.parent_path() / "snapshots", error)) {
        return refusal(
            path, "a blob of a Hugging Face cache, which is named by the digest of its content",
            "Make a copy with `cairn-cli rename SRC -o OUT`");
    }
    struct stat status {};
    if (::fstat(file.fd(), &status) != 0) {
        return systemError(errno, "Cannot read the file's status").inFile(path.string());
    }
    if (status.st_nlink > 1 && !options.force) {
        return refusal(
            path, sentence("%1 names (hard links)", status.st_nlink),
            "An edit changes the file under all of its names; use --force if this is intended");
    }
    return {};
}

/// The index in its folder that lists this file; empty: none.
Result<std::string> indexOf(const Folder& folder, const std::string& name) {
    CAIRN_TRY(const auto entries, folder.list());
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Folder || !entry.name.ends_with(kIndexEnd)) {
            continue;
        }
        CAIRN_TRY(const ByteSourcePtr index, folder.openFile(entry.name));
        CAIRN_TRY(const auto bytes, readRange(*index, {0, std::min(index->size(), kMaxIndex)}));
        const std::string text(asText(bytes));
        if (text.find("\"" + name + "\"") != std::string::npos) {
            return entry.name;
        }
    }
    return std::string();
}

/// Chooses how the new header is written.
void chooseMethod(const FileHandle& file, HeaderEditPlan& plan) {
    plan.dataBefore = plan.edited.dataStart;
    plan.dataAfter = plan.dataBefore;
    if (plan.edited.hasNoChanges()) {
        plan.method = EditMethod::Nothing;
        plan.after = plan.before;
        return;
    }
    if (plan.edited.leastSize <= plan.dataBefore) {
        plan.method = EditMethod::InRoom;
        plan.after = plan.edited.bytes(plan.dataBefore);
        return;
    }
    plan.method = EditMethod::NotInPlace;
    const MovableBlocks blocks = movableBlocks(file.fd());
    if (blocks.unit == 0) {
        plan.why = blocks.why;
        return;
    }
    if (nextHole(file.fd(), 0).value_or(0) != plan.identity.size) {
        plan.why = "The file has holes (it is sparse), so an interrupted edit could not be undone";
        return;
    }
    const std::uint64_t missing = plan.edited.leastSize - plan.dataBefore;
    const std::uint64_t inserted = (missing + blocks.unit - 1) / blocks.unit * blocks.unit;
    if (plan.dataBefore + inserted > plan.edited.mostSize) {
        plan.why = "The header with its padding would exceed the format's limit";
        return;
    }
    plan.unit = blocks.unit;
    plan.method = EditMethod::Insert;
    plan.dataAfter = plan.dataBefore + inserted;
    plan.after = plan.edited.bytes(plan.dataAfter);
}

void addNotices(const Folder& folder, HeaderEditPlan& plan) {
    const std::string manifest = manifestPath(plan.folder / plan.name).filename().string();
    if (plan.method != EditMethod::Nothing && folder.hasFile(manifest)) {
        plan.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::StaleShard,
                  "The manifest beside it describes the file before the edit")
                 .inFile((plan.folder / manifest).string())
                 .withHint("`verify` will report a different header; remove the manifest")});
    }
}

} // namespace

std::string_view editMethodName(EditMethod method) {
    switch (method) {
    case EditMethod::Nothing:
        return "nothing";
    case EditMethod::InRoom:
        return "in-room";
    case EditMethod::Insert:
        return "insert";
    case EditMethod::NotInPlace:
        break;
    }
    return "not-in-place";
}

std::string keptBackupName(const std::string& name) {
    return editBackupName(name) + ".done";
}

Result<HeaderEditPlan> planHeaderEdit(FileOps& ops, const std::filesystem::path& path,
                                      const HeaderChanges& changes,
                                      const HeaderEditOptions& options) {
    CAIRN_CHECK(checkKind(path));
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    if (error) {
        return systemError(error.value(), "Cannot open this path").inFile(path.string());
    }
    HeaderEditPlan plan;
    plan.folder = real.parent_path();
    plan.name = real.filename().string();
    plan.rename = changes.rename;
    CAIRN_TRY(const FolderPtr folder, Folder::open(plan.folder));
    if (auto unfinished = unfinishedEdit(*folder, plan.name)) {
        return std::move(unfinished->error);
    }
    CAIRN_TRY(const FormatInfo* format, detectFormat(real));
    plan.format = format->id;
    if (format->editHeader == nullptr) {
        return refusal(path, sentence("a file of the format %1", plan.format),
                       "Only headers of safetensors files can be edited in place; `cairn-cli "
                       "rename SRC -o OUT` writes a new file");
    }
    CAIRN_TRY(const FileHandle home, ops.openFolder(plan.folder));
    CAIRN_TRY(const FileHandle file, ops.openForEdit(home, plan.name));
    CAIRN_CHECK(checkPlace(real, file, options));
    CAIRN_TRY(const ByteSourcePtr source, sourceOf(file));
    plan.identity = source->identity();
    CAIRN_TRY(plan.checkpoint, openCheckpoint(real));
    CAIRN_TRY(plan.edited, format->editHeader(*source, changes));
    CAIRN_TRY(plan.before, readRange(*source, {0, plan.edited.dataStart}));
    if (!plan.edited.renamed.empty() && !options.force) {
        CAIRN_TRY(const std::string index, indexOf(*folder, plan.name));
        if (!index.empty()) {
            return refusal(path, sentence("a shard whose names %1 also lists", index),
                           "`cairn-cli rename SRC -o OUT` on the folder renames all of them; "
                           "--force leaves the index outdated");
        }
    }
    chooseMethod(file, plan);
    addNotices(*folder, plan);
    return plan;
}

} // namespace cairn
