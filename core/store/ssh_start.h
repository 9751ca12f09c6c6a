// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/remote_name.h"
#include "core/store/connection.h"

#include <memory>
#include <string>
#include <vector>

namespace cairn::store {

/// The arguments of ssh for a host: the user's configuration, agent, jump hosts and shared
/// connections apply; nothing is forwarded.
std::vector<std::string> sshWords(const RemoteName& host);

/// Starts the user's ssh, finds or installs the program on the host (install_script.h), and starts
/// it. Blocks; ssh may ask for a password or a touch on the terminal. Fails with what ssh reports,
/// naming host and remedy.
Result<std::shared_ptr<Connection>> connectBySsh(const RemoteName& host,
                                                 const std::string& version);

/// The same conversation over any channel to a shell.
Result<std::shared_ptr<Connection>> connectOverShell(Channel channel, const RemoteName& host,
                                                     const std::string& version);

} // namespace cairn::store
