// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The result of comparing an output with its source, its manifest or its signature.
namespace cairn {

/// One difference.
struct Mismatch {
    std::string
        what; ///< "tensor", "value", "file", "shape", "dtype", "missing", "extra", "unlisted"
    std::string name; ///< tensor, file, or dotted path of a value
    Sentence message;
};

struct VerifyResult {
    bool verified = false;             ///< everything was compared without a difference
    std::vector<std::string> compared; ///< names of tensors, or of files for a manifest
    std::vector<Mismatch> mismatches;  ///< at most kMaxMismatches
    std::uint64_t bytes = 0;           ///< bytes compared
    std::string basis; ///< a phrase, if more than stored bytes and casts was compared; else empty
    std::vector<Sentence> notCompared; ///< phrases: what a difference in would not be noticed
    std::uint64_t values = 0;          ///< plain values that are equal
    std::uint64_t filesBeside = 0;     ///< files besides those with tensors that were compared
    static constexpr std::size_t kMaxMismatches = 1000;
};

} // namespace cairn
