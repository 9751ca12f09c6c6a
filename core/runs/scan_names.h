// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// What the names of files and folders record while an experiment is listed. Pure.
namespace cairn {

/// What a pointer file names: the last part of a path, or a number; empty when this is not such a
/// text. `text` is at most the first 4 KiB.
std::string pointerTarget(std::string_view text);

/// Folders that hold no checkpoints of the user: package caches.
bool isSkippedFolder(std::string_view name);

/// Where a thing at `id` below the experiment belongs: the run, and what its name is there.
struct RunPlace {
    std::string runId;  ///< "." for the experiment itself
    std::string prefix; ///< "step_100/" when it is in a position's folder; else empty
};
RunPlace runPlaceOf(std::string_view id);

} // namespace cairn
