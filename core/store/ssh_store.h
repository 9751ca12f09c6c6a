// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/host.h"

#include <string>
#include <vector>

/// Files and verbs of other machines, by ssh.
namespace cairn::store {

/// From now on Folder::open() and Location::open() open names of other machines. `version`: of this
/// program. Call it once, before other threads are started.
void useSsh(const std::string& version);

/// The host that a name is on; the same object for the same user, host and port.
HostPtr hostOf(const RemoteName& name);

/// The hosts that were used.
std::vector<HostPtr> usedHosts();

} // namespace cairn::store
