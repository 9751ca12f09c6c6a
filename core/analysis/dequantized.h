// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

namespace cairn {

/// Whether some tensor is stored in quantised blocks (DtypeInfo::isBlock).
bool hasBlocks(const Checkpoint& checkpoint);

/// The same checkpoint with numbers in place of quantised blocks: same tensors at the same indices,
/// notices and values, but each tensor of a block dtype is float32, decoded as it is read
/// (compute/dequantize.h). Null when nothing is quantised. Needs nothing of the original while it
/// lives. Cost: a copy of the index.
CheckpointPtr dequantizedView(const Checkpoint& checkpoint);

/// What arithmetic on a checkpoint works on: its dequantised view, or itself when nothing is
/// quantised. Borrows the checkpoint. Immutable; any thread.
class Numbers {
public:
    explicit Numbers(const Checkpoint& checkpoint)
        : m_view(dequantizedView(checkpoint)), m_checkpoint(m_view ? *m_view : checkpoint) {}
    [[nodiscard]] const Checkpoint& checkpoint() const { return m_checkpoint; }

private:
    CheckpointPtr m_view;
    const Checkpoint& m_checkpoint;
};

/// The same for one tensor of it, at the cost of that tensor.
class TensorNumbers {
public:
    TensorNumbers(const Checkpoint& checkpoint, const TensorEntry& tensor);
    [[nodiscard]] const Checkpoint& checkpoint() const { return *m_checkpoint; }
    [[nodiscard]] const TensorEntry& tensor() const { return *m_tensor; }

private:
    CheckpointPtr m_view;
    const Checkpoint* m_checkpoint;
    const TensorEntry* m_tensor;
};

} // namespace cairn
