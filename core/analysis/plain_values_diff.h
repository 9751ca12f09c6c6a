// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn {

/// One plain value that differs: epoch, loss, a hyper-parameter, a part of an optimizer's state.
struct ValueChange {
    /// Dotted, as in `info`: dict keys by name, list items by number. A second value of the same
    /// dotted key (of the keys "a.b" and "a" with "b" in it) ends with " (2)".
    std::string key;
    Value left;
    Value right;
};

/// A leaf as one short phrase, in Python's terms: "0.001", "None", "12 bytes".
std::string leafText(const Value& value);

struct PlainValuesDiff {
    std::vector<ValueChange> changed;  ///< sorted by key, like the next two
    std::vector<ValueChange> onlyLeft; ///< `right` is null
    std::vector<ValueChange> onlyRight;
    std::uint64_t same = 0;
    bool truncated = false; ///< a side has more than kMaxLeaves values; the rest was ignored
    static constexpr std::size_t kMaxLeaves = 1'000'000;
};

/// Compares the plain values of two checkpoints, number by number and text by text. An integer and
/// a float of the same value are equal, and so are two NaN. Tensors are left to diffValues(); an
/// empty container is a value. Objects with different classes differ in "key.$class". Fails with
/// the errors of reading the values, or Cancelled.
Result<PlainValuesDiff> diffPlainValues(const Value& left, const Value& right,
                                        const CancelToken& cancel = {});
Result<PlainValuesDiff> diffPlainValues(const Checkpoint& left, const Checkpoint& right,
                                        const CancelToken& cancel = {});

} // namespace cairn
