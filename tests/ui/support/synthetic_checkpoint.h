// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"

#include <string>
#include <vector>

namespace cairn::ui::test {

/// A checkpoint without files: shards in memory, filled with a ramp of values.
class CheckpointMaker {
public:
    explicit CheckpointMaker(std::string format = "dcp");

    FileIndex addShard(const std::string& name, bool missing = false);
    /// Cut along `dim` into parts that are as equal as possible, one for each shard.
    TensorIndex addTensor(std::string name, Dtype dtype, Shape shape,
                          const std::vector<FileIndex>& shards, std::size_t dim = 0);
    CheckpointData& data() { return m_data; }
    CheckpointPtr make();

private:
    CheckpointData m_data;
    std::vector<std::vector<std::byte>> m_bytes; ///< one for each file
};

/// A small transformer over four ranks: weights in bf16, AdamW state in fp32, values (epoch, args,
/// history).
CheckpointPtr makeTransformer(int layers = 12, bool missingShard = false);

/// `count` tensors of a mixture-of-experts model and its optimizer, without bytes.
CheckpointPtr makeEnormous(std::size_t count);

} // namespace cairn::ui::test
