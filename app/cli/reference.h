// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cairn::cli {

/// Text for other programs, from the table of verbs (verb.h): what `--help` shows, in their syntax.

std::string bashCompletion();
std::string zshCompletion();
std::string fishCompletion();

/// The manual page cairn-cli(1), as troff with the macros of man(7).
std::string manualPage();

} // namespace cairn::cli
