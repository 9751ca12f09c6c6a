// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cairn {

struct CopyPlan;

/// A digest of everything that determines a job's output: names, sizes and offsets in all files,
/// and the files of the source with place, size and time, as hexadecimal SHA-256. Equal: the same
/// bytes at the same offsets from the same files.
std::string layoutDigest(const CopyPlan& plan);

} // namespace cairn
