// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/decided.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <filesystem>
#include <string>
#include <vector>

/// The judge of the question whether a plain value is what was saved.
///
/// Proven: readers compare an item's checksum, where one was written, whenever they read the item.
/// Recorded: there is none, but the item parses: "not checked". A value that is neither is damaged
/// or unreadable: `info` shows that in its place, `check` fails, and jobs write the checkpoint only
/// without it, if they are forced to.
///
/// Numbers and the states of random generators are values also where a format stores them as
/// tensors (isValueTensor()).
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
    std::vector<TensorIndex> tensors; ///< that are unusable values; all of them, ascending
    ValueRecords records;             ///< how the others compare with their checksums
    static constexpr std::size_t kMaxUnusable = 1000;
    [[nodiscard]] bool complete() const { return unusableCount == 0; }
};

/// Pure. Values shared within the tree stay shared, and are listed once.
SavedValues savedValues(const Value& values);

/// Of a checkpoint; values that cannot be loaded at all are one unusable value. Fails as
/// loadedValues().
Result<SavedValues> savedValues(const Checkpoint& checkpoint, const CancelToken& cancel = {});

/// Whether records that are too large to be compared whenever a value in them is shown are
/// compared.
enum class LargeRecords : std::uint8_t { Left, Compared };

/// The checkpoint's values as one tree for savedValues(), with unreadableValue() where they cannot
/// be loaded, and in place of tensors that are values and differ from their checksums. A small
/// record of values that differs from its checksum counts as mismatched, because values in it may
/// be missing. Fails: Cancelled; Io if the files are on another machine, which does not answer.
Result<LoadedValues> loadedValues(const Checkpoint& checkpoint, const CancelToken& cancel = {},
                                  LargeRecords large = LargeRecords::Left);

/// A number, or the state of a random generator or of the training: small, and shown or used as a
/// value.
bool isValueTensor(const TensorEntry& tensor);

/// Whether the plain values are what was saved, with the evidence; undecided if there are none.
/// True and Proven only if all of them were compared with a checksum.
Decided<bool> decideSaved(const SavedValues& saved, const std::filesystem::path& checkpoint);

} // namespace cairn
