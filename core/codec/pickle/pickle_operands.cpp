// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_operands.h"

#include "core/codec/pickle/pickle_opcodes.h"

namespace cairn::pickle {

std::optional<Operands> operandsOf(std::uint8_t opcode) {
    switch (opcode) {
    case 'K':
    case 'h':
    case 'q':
    case 0x80: // PROTO
    case 0x82: // EXT1
        return Operands{.bytes = 1};
    case 'M':
    case 0x83: // EXT2
        return Operands{.bytes = 2};
    case 'J':
    case 'j':
    case 'r':
    case 0x84: // EXT4
        return Operands{.bytes = 4};
    case 'G':
    case 0x95: // FRAME: its content follows as opcodes
        return Operands{.bytes = 8};
    case 'F':
    case 'I':
    case 'L':
    case 'P':
    case 'S':
    case 'V':
    case 'g':
    case 'p':
        return Operands{.lines = 1};
    case 'c':
    case 'i':
        return Operands{.lines = 2};
    case 0x8a: // LONG1
    case 0x8c: // SHORT_BINUNICODE
        return Operands{.bytes = 1, .counted = true};
    case 0x8b: // LONG4
        return Operands{.bytes = 4, .counted = true, .isSigned = true};
    case 'X':
        return Operands{.bytes = 4, .counted = true};
    case 0x8d: // BINUNICODE8
        return Operands{.bytes = 8, .counted = true};
    case 'U':
        return Operands{.bytes = 1, .counted = true, .bytesOrText = true};
    case 'T':
        return Operands{.bytes = 4, .counted = true, .isSigned = true, .bytesOrText = true};
    case 'C':
        return Operands{.bytes = 1, .counted = true, .bytesAlone = true};
    case 'B':
        return Operands{.bytes = 4, .counted = true, .bytesAlone = true};
    case 0x8e: // BINBYTES8
    case 0x96: // BYTEARRAY8
        return Operands{.bytes = 8, .counted = true, .bytesAlone = true};
    default:
        break;
    }
    switch (opcode) {
#define CAIRN_CASE(code, handler, protocol) case code:
        CAIRN_PICKLE_OPCODES(CAIRN_CASE)
#undef CAIRN_CASE
        return Operands{};
    default:
        return std::nullopt;
    }
}

} // namespace cairn::pickle
