// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"

#include <string>
#include <vector>

namespace cairn::ui::test {

/// A checkpoint that was never a file: shards in memory, filled with a ramp of values.
class CheckpointMaker {
public:
    explicit CheckpointMaker(std::string format = "dcp");

    FileIndex addShard(const std::string& name, bool missing = false);
    /// Cut along `dim` into as equal parts as can be, one for each of the shards.
    TensorIndex addTensor(std::string name, Dtype dtype, Shape shape,
                          const std::vector<FileIndex>& shards, std::size_t dim = 0);
    CheckpointData& data() { return m_data; }
    CheckpointPtr make();

private:
    CheckpointData m_data;
    std::vector<std::vector<std::byte>> m_bytes; ///< by file
};

/// A small transformer over four ranks: weights in bf16, AdamW state in fp32, values (epoch, args,
/// history).
CheckpointPtr makeTransformer(int layers = 12, bool missingShard = false);

/// `count` tensors of a mixture-of-experts model and its optimizer, no bytes behind them.
CheckpointPtr makeEnormous(std::size_t count);

} // namespace cairn::ui::test
