// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cairn::store {

/// What is sent: the program beside the running code (ownFolders()), else that in PATH.
struct ProgramToSend {
    std::string path;
    std::string sha256; ///< in hexadecimal; empty: there is none
    std::uint64_t size = 0;
};
ProgramToSend programToSend();

/// The processor that the program is compiled for, as `uname -m` names it.
std::string ownMachine();

/// What /bin/sh of the host gets on its standard input. README.md describes the conversation. Every
/// line that it prints begins with `nonce`, so that nothing else in the stream is taken for one.
std::string installScript(const std::string& nonce, const ProgramToSend& program,
                          const std::string& version);

} // namespace cairn::store
