// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/output_undo.h"

#include "core/base/endian.h"
#include "core/io/hash.h"
#include "core/jobs/record/late_names.h"
#include "core/jobs/record/manifest.h"
#include "core/runs/retention/saved_files.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

bool doesExist(const fs::path& path) {
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

/// What a job writes about a single file is beside it; about a folder, inside it.
std::vector<fs::path> filesBeside(const fs::path& output) {
    std::error_code error;
    std::vector<fs::path> found;
    if (!fs::is_directory(fs::symlink_status(output, error)) && doesExist(manifestPath(output))) {
        for (const LateName& name : {kManifestLate, kSignatureLate, kProvenanceLate, kBomLate}) {
            fs::path path = output.string() + std::string(name.suffix);
            if (doesExist(path)) {
                found.push_back(std::move(path));
            }
        }
    }
    return found;
}

/// Not the device, whose number may change when a file system is mounted again.
void addRows(std::string& text, const fs::path& path) {
    for (const SavedFiles::Row& row : listSavedFiles(path).rows) {
        text += row.name + '\0' + std::to_string(static_cast<int>(row.kind)) + ' ' +
                std::to_string(row.identity.inode) + ' ' + std::to_string(row.identity.size) + ' ' +
                std::to_string(row.identity.mtimeNs) + '\n';
    }
}

} // namespace

std::string outputStamp(const fs::path& output) {
    if (!doesExist(output) || !listSavedFiles(output).whole) {
        return {};
    }
    std::string text;
    addRows(text, output);
    for (const fs::path& beside : filesBeside(output)) {
        addRows(text, beside);
    }
    Sha256 digest;
    digest.add(asBytes(text));
    return hexText(digest.finish());
}

Result<fs::path> undoOutput(FileOps& fileOps, const fs::path& output, const std::string& stamp,
                            const WastebasketPlaces& places) {
    if (!doesExist(output)) {
        return fail(ErrorCode::NotFound, "The output no longer exists").inFile(output.string());
    }
    if (stamp.empty() || outputStamp(output) != stamp) {
        return fail(ErrorCode::ChangedOnDisk,
                    "The output has changed since the job wrote it; it was not moved")
            .inFile(output.string())
            .withHint("Move it in the file manager if it is not needed");
    }
    const std::vector<fs::path> beside = filesBeside(output);
    CAIRN_TRY(fs::path moved, moveToWastebasket(fileOps, output, places));
    for (const fs::path& path : beside) {
        CAIRN_CHECK(moveToWastebasket(fileOps, path, places));
    }
    return moved;
}

} // namespace cairn
