// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/read_check.h"

#include <linux/magic.h>
#include <sys/statfs.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace cairn {
namespace {

constexpr std::int64_t kSettledNs = 120'000'000'000;

std::set<std::size_t> filesOf(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors) {
    std::set<std::size_t> files;
    for (const TensorIndex index : tensors) {
        for (const Piece& piece : checkpoint.tensor(index).pieces) {
            files.insert(piece.file.position());
        }
    }
    return files;
}

bool isInTmpfs(const Checkpoint& checkpoint, std::size_t file) {
    const auto source = checkpoint.openFile(FileIndex(file));
    struct statfs status {};
    return source && (*source)->descriptor() >= 0 &&
           ::fstatfs((*source)->descriptor(), &status) == 0 && status.f_type == TMPFS_MAGIC;
}

} // namespace

Result<void> checkFilesUnchanged(const Checkpoint& checkpoint,
                                 std::span<const TensorIndex> tensors) {
    for (const std::size_t i : filesOf(checkpoint, tensors)) {
        const CheckpointFile& file = checkpoint.files()[i];
        if (file.source || file.missing || !file.folder) {
            continue;
        }
        const auto now = file.folder->openFile(file.openAs.empty() ? file.path : file.openAs);
        if (!now || (*now)->identity() != file.identity) {
            return fail(ErrorCode::ChangedOnDisk,
                        "The file was changed or removed while it was being read")
                .inFile(file.path)
                .withHint("Try again after the writer has finished");
        }
    }
    return {};
}

std::vector<TensorIndex> tensorsBeingWritten(const Checkpoint& checkpoint,
                                             std::span<const TensorIndex> tensors) {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    std::set<std::size_t> files = filesOf(checkpoint, tensors);
    std::erase_if(files, [&](std::size_t i) {
        const CheckpointFile& file = checkpoint.files()[i];
        const bool isMemory = file.source != nullptr;
        const bool isSettled =
            now - std::max(file.identity.mtimeNs, file.identity.ctimeNs) > kSettledNs;
        return isMemory || file.missing || (isSettled && !isInTmpfs(checkpoint, i));
    });
    std::vector<TensorIndex> found;
    std::ranges::copy_if(tensors, std::back_inserter(found), [&](TensorIndex index) {
        return std::ranges::any_of(checkpoint.tensor(index).pieces, [&](const Piece& piece) {
            return files.contains(piece.file.position());
        });
    });
    return found;
}

} // namespace cairn
