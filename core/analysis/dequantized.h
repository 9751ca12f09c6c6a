// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

namespace cairn {

/// Whether a tensor is stored in quantised blocks (DtypeInfo::isBlock).
bool hasBlocks(const Checkpoint& checkpoint);

/// The checkpoint with numbers instead of quantised blocks: same tensors at the same indices,
/// notices and values, but tensors of block dtypes are float32, decoded while they are read
/// (compute/dequantize.h). Null if nothing is quantised. Independent of the original's lifetime.
/// Cost: a copy of the index.
CheckpointPtr dequantizedView(const Checkpoint& checkpoint);

/// The checkpoint to use for arithmetic: its dequantised view, or the checkpoint itself if nothing
/// is quantised. Borrows the checkpoint. Immutable; any thread.
class Numbers {
public:
    explicit Numbers(const Checkpoint& checkpoint)
        : m_view(dequantizedView(checkpoint)), m_checkpoint(m_view ? *m_view : checkpoint) {}
    [[nodiscard]] const Checkpoint& checkpoint() const { return m_checkpoint; }

private:
    CheckpointPtr m_view;
    const Checkpoint& m_checkpoint;
};

/// The same for one tensor, at the cost of that tensor.
class TensorNumbers {
public:
    TensorNumbers(const Checkpoint& checkpoint, const TensorEntry& tensor);
    [[nodiscard]] const Checkpoint& checkpoint() const { return *m_checkpoint; }
    [[nodiscard]] const TensorEntry& tensor() const { return *m_tensor; }
    /// The checkpoint that has only this tensor, to keep; null if the tensor is not quantised.
    [[nodiscard]] const CheckpointPtr& view() const { return m_view; }

private:
    CheckpointPtr m_view;
    const Checkpoint* m_checkpoint;
    const TensorEntry* m_tensor;
};

} // namespace cairn
