// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <string>
#include <vector>

/// The judge of the question whether a plain value is what was saved.
///
/// Proven: readers compare an item's checksum, where one was written, whenever they read the item.
/// Recorded: there is none, but the item parses; `check` reports how many records were not checked.
/// A value that is neither is damaged or unreadable: `info` shows that in its place, `check` fails,
/// and jobs write the checkpoint only without it, if they are forced to.
namespace cairn {

/// Takes the place of a value that is damaged or could not be read, which must not hide the others:
/// an object of the class "cairn.Unreadable", from which savedValues() reads the error again. A
/// file may contain an object of that class, which is then not usable either.
Value unreadableValue(const Error& error);

struct UnusableValue {
    std::string path; ///< dotted, as in `info`; empty: all values
    Error error;      ///< with the file, and where it is known the item, in `where`
};

struct SavedValues {
    /// Without the unusable ones. From a list or tuple none is left out, because the positions of
    /// the others would change: the whole list is.
    Value usable;
    std::vector<UnusableValue> unusable; ///< in the order of the tree, at most kMaxUnusable
    std::size_t unusableCount = 0;
    static constexpr std::size_t kMaxUnusable = 1000;
    [[nodiscard]] bool complete() const { return unusableCount == 0; }
};

/// Pure. Values shared within the tree stay shared, and are listed once.
SavedValues savedValues(const Value& values);

/// Of a checkpoint; values that cannot be loaded at all are one unusable value. Fails: Cancelled.
Result<SavedValues> savedValues(const Checkpoint& checkpoint, const CancelToken& cancel = {});

/// The checkpoint's values as one tree for savedValues(), with unreadableValue() if they cannot
/// be loaded. Fails: Cancelled.
Result<Value> loadedValues(const Checkpoint& checkpoint, const CancelToken& cancel = {});

} // namespace cairn
