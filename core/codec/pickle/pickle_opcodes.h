// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Every opcode of protocols 0 to 5: X(code, handler of PickleMachine, first protocol that writes
/// it). Source: CPython Lib/pickletools.py, "opcodes".
#define CAIRN_PICKLE_OPCODES(X)                                                                    \
    X('(', opMark, 0)                                                                              \
    X('.', opStop, 0)                                                                              \
    X('0', opPop, 0)                                                                               \
    X('1', opPopMark, 1)                                                                           \
    X('2', opDup, 0)                                                                               \
    X('F', opFloat, 0)                                                                             \
    X('I', opInt, 0)                                                                               \
    X('J', opBinInt, 1)                                                                            \
    X('K', opBinInt1, 1)                                                                           \
    X('L', opLong, 0)                                                                              \
    X('M', opBinInt2, 1)                                                                           \
    X('N', opNone, 0)                                                                              \
    X('P', opPersId, 0)                                                                            \
    X('Q', opBinPersId, 1)                                                                         \
    X('R', opReduce, 0)                                                                            \
    X('S', opString, 0)                                                                            \
    X('T', opBinString, 1)                                                                         \
    X('U', opShortBinString, 1)                                                                    \
    X('V', opUnicode, 0)                                                                           \
    X('X', opBinUnicode, 1)                                                                        \
    X('a', opAppend, 0)                                                                            \
    X('b', opBuild, 0)                                                                             \
    X('c', opGlobal, 0)                                                                            \
    X('d', opDict, 0)                                                                              \
    X('}', opEmptyDict, 1)                                                                         \
    X('e', opAppends, 1)                                                                           \
    X('g', opGet, 0)                                                                               \
    X('h', opBinGet, 1)                                                                            \
    X('i', opInst, 0)                                                                              \
    X('j', opLongBinGet, 1)                                                                        \
    X('l', opList, 0)                                                                              \
    X(']', opEmptyList, 1)                                                                         \
    X('o', opObj, 1)                                                                               \
    X('p', opPut, 0)                                                                               \
    X('q', opBinPut, 1)                                                                            \
    X('r', opLongBinPut, 1)                                                                        \
    X('s', opSetItem, 0)                                                                           \
    X('t', opTuple, 0)                                                                             \
    X(')', opEmptyTuple, 1)                                                                        \
    X('u', opSetItems, 1)                                                                          \
    X('G', opBinFloat, 1)                                                                          \
    X(0x80, opProto, 2)                                                                            \
    X(0x81, opNewObj, 2)                                                                           \
    X(0x82, opExt1, 2)                                                                             \
    X(0x83, opExt2, 2)                                                                             \
    X(0x84, opExt4, 2)                                                                             \
    X(0x85, opTuple1, 2)                                                                           \
    X(0x86, opTuple2, 2)                                                                           \
    X(0x87, opTuple3, 2)                                                                           \
    X(0x88, opNewTrue, 2)                                                                          \
    X(0x89, opNewFalse, 2)                                                                         \
    X(0x8a, opLong1, 2)                                                                            \
    X(0x8b, opLong4, 2)                                                                            \
    X('B', opBinBytes, 3)                                                                          \
    X('C', opShortBinBytes, 3)                                                                     \
    X(0x8c, opShortBinUnicode, 4)                                                                  \
    X(0x8d, opBinUnicode8, 4)                                                                      \
    X(0x8e, opBinBytes8, 4)                                                                        \
    X(0x8f, opEmptySet, 4)                                                                         \
    X(0x90, opAddItems, 4)                                                                         \
    X(0x91, opFrozenSet, 4)                                                                        \
    X(0x92, opNewObjEx, 4)                                                                         \
    X(0x93, opStackGlobal, 4)                                                                      \
    X(0x94, opMemoize, 4)                                                                          \
    X(0x95, opFrame, 4)                                                                            \
    X(0x96, opByteArray8, 5)                                                                       \
    X(0x97, opNextBuffer, 5)                                                                       \
    X(0x98, opReadOnlyBuffer, 5)
