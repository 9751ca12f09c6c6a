// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/parameter_count.h"

#include "core/analysis/diff.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace cairn {

std::optional<std::uint64_t> parameterCount(const WeightValues& weights,
                                            std::span<const TensorIndex> tensors) {
    std::uint64_t count = 0;
    for (const TensorIndex index : tensors) {
        const TensorEntry& tensor = weights.checkpoint()->tensor(index);
        const QuantisedTensor* quantised = weights.find(index);
        if (quantised != nullptr && quantised->kind == QuantisedTensor::Kind::Codes) {
            return std::nullopt;
        }
        const bool isPart = quantised != nullptr && quantised->kind == QuantisedTensor::Kind::Part;
        const bool isTied =
            tensor.aliasOf && std::ranges::find(tensors, *tensor.aliasOf) != tensors.end();
        if (tensor.role == Role::Weight && !isPart && !isTied) {
            count += tensor.elements();
        }
    }
    return count;
}

std::optional<std::uint64_t> parameterCount(const WeightValues& weights) {
    return parameterCount(weights, DiffSide::whole(weights.checkpoint()).tensors);
}

TensorSums sumsOf(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors) {
    TensorSums sums;
    std::map<Dtype, std::uint64_t> byDtype;
    std::set<TensorIndex> counted;
    for (const TensorIndex index : tensors) {
        const TensorEntry& tensor = checkpoint.tensor(index);
        ++sums.tensors;
        if (counted.insert(tensor.aliasOf.value_or(index)).second) {
            sums.elements += tensor.elements();
            sums.bytes += tensor.bytes();
            byDtype[tensor.dtype] += tensor.bytes();
        }
    }
    sums.byDtype.assign(byDtype.begin(), byDtype.end());
    std::ranges::stable_sort(sums.byDtype, std::greater(),
                             &std::pair<Dtype, std::uint64_t>::second);
    return sums;
}

} // namespace cairn
