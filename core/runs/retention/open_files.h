// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <utility>

namespace cairn {

/// Regular files that a process has open for writing, or mapped so, by device and inode; only of
/// processes that this user may inspect, on this machine.
std::set<std::pair<std::uint64_t, std::uint64_t>> filesOpenForWriting();

} // namespace cairn
