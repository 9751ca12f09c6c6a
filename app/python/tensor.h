// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/strided_read.h"

#include <cstdint>
#include <memory>
#include <nanobind/nanobind.h>
#include <tuple>
#include <vector>

namespace cairn::python {

/// One tensor of a checkpoint for the class Tensor in cairn/_tensor.py, which does the indexing.
/// Keeps the checkpoint alive. Immutable; any thread.
class StoredTensor {
public:
    using Range = std::tuple<std::int64_t, std::int64_t, std::int64_t>; ///< first, step, count

    StoredTensor(CheckpointPtr checkpoint, TensorIndex index)
        : m_checkpoint(std::move(checkpoint)), m_index(index) {}

    [[nodiscard]] const TensorEntry& entry() const { return m_checkpoint->tensor(m_index); }
    [[nodiscard]] const DtypeInfo& dtype() const { return dtypeInfo(entry().dtype); }
    /// The same tensor with numbers instead of quantised blocks; itself if it has none.
    [[nodiscard]] StoredTensor dequantized() const;

    /// The selected elements in C order, little-endian, as a bytearray or as bytes.
    [[nodiscard]] nanobind::object read(const std::vector<Range>& ranges, bool immutable) const;
    /// The selected strings as a list of bytes.
    [[nodiscard]] nanobind::list readStrings(const std::vector<Range>& ranges) const;
    /// The canonical form of all strings that hash() covers.
    [[nodiscard]] nanobind::bytes stringBytes() const;
    [[nodiscard]] nanobind::list pieces() const;

private:
    CheckpointPtr m_checkpoint;
    TensorIndex m_index;
};

void bindTensor(nanobind::module_& module);

} // namespace cairn::python
