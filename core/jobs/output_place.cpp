// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/output_place.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace cairn {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> freeSpace(const fs::path& folder) {
    struct statvfs status {};
    if (::statvfs(folder.c_str(), &status) != 0 || status.f_blocks == 0) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

bool isBelow(const fs::path& inner, const fs::path& outer) {
    const auto [end, rest] = std::ranges::mismatch(outer, inner);
    return end == outer.end();
}

} // namespace

fs::path existingFolder(const fs::path& output) {
    std::error_code error;
    fs::path folder = fs::absolute(output, error).parent_path();
    while (!fs::exists(folder, error) && folder.has_relative_path()) {
        folder = folder.parent_path();
    }
    return folder;
}

PlanFacts placeFacts(const Checkpoint& source, const fs::path& output) {
    PlanFacts facts;
    std::error_code error;
    const fs::path wanted = output.filename().empty() ? output.parent_path() : output; // "out/"
    facts.outputExists = fs::exists(fs::symlink_status(wanted, error));
    facts.outputIsSource = facts.outputExists && fs::equivalent(wanted, source.path(), error);
    if (fs::is_directory(source.path(), error)) {
        facts.outputInsideSource =
            isBelow(fs::weakly_canonical(fs::absolute(wanted, error), error),
                    fs::weakly_canonical(fs::absolute(source.path(), error), error));
    }
    facts.freeBytes = freeSpace(existingFolder(wanted));
    return facts;
}

} // namespace cairn
