// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_states.h"

#include <filesystem>
#include <optional>
#include <string>

/// The host of a place on another machine. Decided by the form of the name: nothing is looked up,
/// so that a window may ask at any time.
namespace cairn {

/// "user@host:port" with the known parts, as HostState::host; empty: the place is here, or its name
/// is not usable.
std::string hostAccountOf(const std::filesystem::path& place);

/// The state of that host; empty: the place is here, or its host was not used yet.
std::optional<HostState> hostStateOf(const std::filesystem::path& place);

/// The connection to its host is lost, or could not be made.
bool isOnLostHost(const std::filesystem::path& place);

} // namespace cairn
