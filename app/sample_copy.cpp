// SPDX-License-Identifier: Apache-2.0
#include "app/sample_copy.h"

#include <array>
#include <system_error>

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

/// Beside the installed program first, then where it was built.
fs::path findSample() {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const std::array<fs::path, 2> places{program.parent_path().parent_path() / "share/cairn/sample/experiment",
                                         fs::path(CAIRN_SAMPLE_FOLDER)};
    for (const fs::path& place : places) {
        if (fs::is_directory(place, ignored)) {
            return place;
        }
    }
    return {};
}

} // namespace

Result<fs::path> copySample(const fs::path& target) {
    std::error_code problem;
    if (fs::is_directory(target, problem)) {
        return target;
    }
    const fs::path sample = findSample();
    if (sample.empty()) {
        return fail(ErrorCode::NotFound, "The sample experiment is not part of this installation");
    }
    // Under another name until it is whole, so that half a copy is never taken for the sample.
    const fs::path partial = target.parent_path() / (target.filename().string() + ".part");
    fs::remove_all(partial, problem);
    fs::create_directories(target.parent_path(), problem);
    fs::copy(sample, partial, fs::copy_options::recursive, problem);
    if (!problem) {
        fs::rename(partial, target, problem);
    }
    if (problem) {
        return fail(ErrorCode::WriteFailed, "The sample experiment cannot be copied")
            .inFile(target.string())
            .butFound(problem.message());
    }
    return target;
}

} // namespace cairn::app
