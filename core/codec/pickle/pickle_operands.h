// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

/// How far an opcode reaches, for those who go through a stream without running it. Source: CPython
/// Lib/pickletools.py, "opcodes".
namespace cairn::pickle {

struct Operands {
    std::uint8_t bytes = 0;   ///< right after the opcode, little-endian
    std::uint8_t lines = 0;   ///< or lines of text
    bool counted = false;     ///< `bytes` are a count of so many bytes that follow them
    bool isSigned = false;    ///< the count is
    bool bytesAlone = false;  ///< what is counted means nothing to the machine: bytes, no text
    bool bytesOrText = false; ///< Python 2's str: text if it is UTF-8 from end to end
};

/// Nothing: no opcode of protocols 0 to 5.
std::optional<Operands> operandsOf(std::uint8_t opcode);

} // namespace cairn::pickle
