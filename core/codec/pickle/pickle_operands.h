// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

/// Operand sizes of the opcodes, to step through a stream without running it. Source: CPython
/// Lib/pickletools.py, "opcodes".
namespace cairn::pickle {

struct Operands {
    std::uint8_t bytes = 0;   ///< directly after the opcode, little-endian
    std::uint8_t lines = 0;   ///< lines of text
    bool counted = false;     ///< `bytes` hold the length of data that follows
    bool isSigned = false;    ///< the length is signed
    bool bytesAlone = false;  ///< the data is bytes, not text
    bool bytesOrText = false; ///< Python 2's str: text if it is valid UTF-8
};

/// Empty: not an opcode of protocols 0 to 5.
std::optional<Operands> operandsOf(std::uint8_t opcode);

} // namespace cairn::pickle
