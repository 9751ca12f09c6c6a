// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Pickles written by CPython, and their expected content.
namespace cairn::pickle {

struct CorpusRow {
    const char* name;
    int protocol;
    const char* bytes;    ///< in hexadecimal
    const char* expected; ///< in the notation of dump()
};
inline constexpr CorpusRow kCorpus[] = {
#include "tests/core/codec/pickle_corpus.inc"
};

} // namespace cairn::pickle
