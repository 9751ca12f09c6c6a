// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/output_place.h"

#include "core/base/absolute_path.h"
#include "core/io/location.h"

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

bool isMissing(const fs::path& path) {
    std::error_code error;
    return fs::status(path, error).type() == fs::file_type::not_found && // not: unreadable
           !Location(path).exists();
}

/// A checkpoint that was opened can be read for as long as its files are open, even if their names
/// no longer exist. One that is named by the common part of its files has no path of its own.
bool isSourceMissing(const Checkpoint& source) {
    if (!isMissing(source.path())) {
        return false;
    }
    const auto stored = [](const CheckpointFile& file) {
        return file.folder != nullptr && file.source == nullptr && !file.missing;
    };
    const auto file = std::ranges::find_if(source.files(), stored);
    return file != source.files().end() && isMissing(source.path().parent_path() / file->path) &&
           isMissing(file->folder->path() / (file->openAs.empty() ? file->path : file->openAs));
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

fs::path canonicalOutput(const fs::path& output) {
    std::error_code error;
    const fs::path named = absolutePath(output);
    return fs::weakly_canonical(named.parent_path(), error) / named.filename();
}

PlanFacts placeFacts(const Checkpoint& source, const fs::path& output) {
    PlanFacts facts;
    std::error_code error;
    const fs::path wanted = output.filename().empty() ? output.parent_path() : output; // "out/"
    facts.missingSource = isSourceMissing(source) ? source.path().string() : std::string();
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
