// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_matrices.h"

#include "core/families/adapters/adapter.h"
#include "core/families/names/view.h"

#include <algorithm>
#include <utility>

namespace cairn {

Result<CheckpointPtr> withMatrices(const CheckpointPtr& adapter) {
    const auto isKernel = [](const TensorEntry& tensor) {
        return tensor.shape.size() >= 4 && isAdapterTensor(tensor.name);
    };
    if (std::ranges::none_of(adapter->tensors(), isKernel)) {
        return adapter;
    }
    CheckpointData data = adapter->data();
    for (std::size_t i = 0; i < data.tensors.size(); ++i) {
        const TensorEntry stored = data.tensors[i];
        if (!isKernel(stored)) {
            continue;
        }
        const TensorView view = TensorView::of(*adapter, TensorIndex(i));
        CAIRN_TRY(const TensorView matrix, view.merge(1, stored.shape.size() - 1));
        CAIRN_TRY(TensorEntry entry, matrix.entry(stored.name, data, adapter));
        entry.role = stored.role;
        entry.aliasOf = stored.aliasOf;
        data.tensors[i] = std::move(entry);
    }
    return Checkpoint::make(std::move(data));
}

} // namespace cairn
