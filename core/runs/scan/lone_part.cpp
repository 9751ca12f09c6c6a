// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/lone_part.h"

#include "core/formats/format.h"
#include "core/model/names/part_name.h"
#include "core/model/names/shard_name.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace cairn {
namespace {

std::optional<names::PartName> partOf(const std::filesystem::path& name) {
    return splitShardName(name.string()) ? std::nullopt
                                         : names::splitPartName(name.stem().string());
}

/// Other files of the same save, by their names.
std::size_t siblings(const names::PartName& part, const std::filesystem::path& path,
                     const std::vector<FolderEntry>& entries) {
    const auto isSibling = [&](const FolderEntry& entry) {
        const std::filesystem::path name = entry.name;
        const auto other = entry.kind == EntryKind::Folder || name == path.filename() ||
                                   name.extension() != path.extension()
                               ? std::nullopt
                               : partOf(name);
        return other && other->base == part.base && other->count == part.count;
    };
    return static_cast<std::size_t>(std::ranges::count_if(entries, isSibling));
}

bool contains(const Checkpoint& whole, const std::filesystem::path& file) {
    return std::ranges::any_of(whole.files(), [&](const CheckpointFile& each) {
        return std::filesystem::path(each.path).filename() == file.filename();
    });
}

/// The save that the file is of; null: it is not known.
Result<CheckpointPtr> openSave(const names::PartName& part, const std::filesystem::path& path,
                               const CancelToken& cancel) {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const Location save = folder / (part.base.empty() ? std::string("rank") : part.base);
    auto whole = openCheckpoint(filesOfSave(save).empty() ? Location(folder) : save, cancel);
    if (!whole) {
        return whole.error().code == ErrorCode::Cancelled ? std::move(whole).error()
                                                          : Result<CheckpointPtr>(nullptr);
    }
    return contains(**whole, path) ? std::move(whole) : Result<CheckpointPtr>(nullptr);
}

/// Whether each tensor of the file is a complete one of the save.
bool hasWholeTensors(const Checkpoint& file, const Checkpoint& whole) {
    return std::ranges::all_of(file.tensors(), [&](const TensorEntry& tensor) {
        const auto same = isModelRole(tensor.role) ? whole.find(tensor.name) : std::nullopt;
        return !isModelRole(tensor.role) || (same && whole.tensor(*same).shape == tensor.shape);
    });
}

/// Whether the file has all of them.
bool hasAllTensors(const Checkpoint& file, const Checkpoint& whole) {
    return std::ranges::all_of(whole.tensors(), [&](const TensorEntry& tensor) {
        return !isModelRole(tensor.role) || file.find(tensor.name).has_value();
    });
}

} // namespace

Result<CheckpointPtr> markLonePart(CheckpointPtr file, const Location& named,
                                   const CancelToken& cancel) {
    const std::filesystem::path& path = named.path();
    const auto part = partOf(path.filename());
    if (!part || file->completeness() != Completeness::Complete || file->path() != path) {
        return file;
    }
    const auto folder = named.openParent();
    const auto entries =
        folder ? (*folder)->list() : Result<std::vector<FolderEntry>>(folder.error());
    const std::size_t others = entries ? siblings(*part, path, *entries) : 0;
    // "rank1" is not the first; "mp2" may be a setting.
    const bool hasEarlier =
        part->index > 0 && (part->word == "rank" || part->word == "part" || part->word == "shard");
    if (others == 0 && part->count.value_or(1) < 2 && !hasEarlier) {
        return file;
    }
    CAIRN_TRY(const CheckpointPtr whole, openSave(*part, path, cancel));
    if (whole == nullptr && !part->count && part->word != "rank") {
        return file; // "mp2" may be a setting
    }
    const auto isOtherSave = [](const Notice& notice) {
        return notice.error.code == ErrorCode::MixedSteps;
    };
    const bool isShard = whole != nullptr && whole->completeness() == Completeness::Complete &&
                         hasWholeTensors(*file, *whole);
    const bool isWhole = isShard && hasAllTensors(*file, *whole);
    if (isWhole || (whole != nullptr && std::ranges::any_of(whole->notices(), isOtherSave))) {
        return file;
    }
    CheckpointData data = file->data();
    data.completeness = Completeness::Incomplete;
    data.why.push_back("The file is one of several of a save, and was opened alone");
    data.notices.push_back(
        {Severity::Error,
         fail(ErrorCode::ShardsNotJoined,
              isShard ? Sentence("The file is one of several of a save by its name, and was opened "
                                 "alone; the others contain more tensors of the model")
                      : "The file is one of several of a save by its name, and was opened alone; "
                        "its tensors may be one rank's slices")
             .inFile(path.filename().string())
             .butFound(part->count ? sentence("one file of %1", *part->count)
                       : others > 0
                           ? sentence("one file of %1", others + 1)
                           : sentence("the number %1, and no file with another", part->index))
             .withHint("Open the folder that contains all of them")});
    return Checkpoint::make(std::move(data));
}

} // namespace cairn
