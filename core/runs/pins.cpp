// SPDX-License-Identifier: Apache-2.0
#include "core/runs/pins.h"

#include "core/base/other_machine.h"
#include "core/io/hash.h"
#include "core/io/user_folder.h"

#include <span>
#include <string>

namespace cairn {
namespace {

std::string pinName(const std::filesystem::path& checkpoint) {
    const std::string path = absolutePlace(checkpoint).string();
    Sha256 digest;
    digest.add(std::as_bytes(std::span(path)));
    return hexText(digest.finish());
}

} // namespace

std::filesystem::path pinsFolder() {
    const std::filesystem::path folder = userFolder("XDG_STATE_HOME", ".local/state");
    return folder.empty() ? folder : folder / "pins";
}

bool isPinned(const std::filesystem::path& checkpoint, const std::filesystem::path& pins) {
    std::error_code error;
    return !pins.empty() && std::filesystem::is_regular_file(pins / pinName(checkpoint), error);
}

Result<void> setPinned(FileOps& ops, const std::filesystem::path& checkpoint, bool pinned,
                       const std::filesystem::path& pins) {
    if (isPinned(checkpoint, pins) == pinned) {
        return {};
    }
    CAIRN_TRY(const FileHandle folder, openUserFolder(ops, pins));
    const std::string name = pinName(checkpoint);
    if (!pinned) {
        return ops.removeFile(folder, name);
    }
    CAIRN_TRY(const FileHandle file, ops.createFile(folder, name));
    const std::string path = absolutePlace(checkpoint).string() + "\n"; // for people who look
    return ops.writeAt(file, 0, std::as_bytes(std::span(path)));
}

std::set<std::filesystem::path> pinnedOf(const ScannedRun& run, const std::filesystem::path& pins) {
    std::error_code error;
    std::set<std::filesystem::path> pinned;
    if (pins.empty() || !std::filesystem::is_directory(pins, error)) {
        return pinned; // the usual case: one question instead of one for each checkpoint
    }
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (!each.isLink() && isPinned(each.path, pins)) {
            pinned.insert(each.path);
        }
    }
    return pinned;
}

} // namespace cairn
