// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>

namespace cairn::store {

/// Why ssh ended, from what it wrote to standard error. Source: OpenSSH's ssh.c, sshconnect.c and
/// sshconnect2.c, whose messages are not translated.
Error sshError(std::string_view messages, const std::string& host);

/// The last lines that are not empty, without what a banner put before them.
std::string lastLines(std::string_view messages);

} // namespace cairn::store
