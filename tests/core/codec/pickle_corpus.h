// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Pickles that CPython wrote, and what they hold.
namespace cairn::pickle {

struct CorpusRow {
    const char* name;
    int protocol;
    const char* bytes;    ///< in hexadecimal
    const char* expected; ///< as dump() tells it
};
inline constexpr CorpusRow kCorpus[] = {
#include "tests/core/codec/pickle_corpus.inc"
};

} // namespace cairn::pickle
