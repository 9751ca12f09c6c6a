// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/planned_output.h"

#include "core/families/quantised/quantised_weights.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

CheckpointPtr plannedIndex(std::span<const OutputTensor> tensors) {
    CheckpointData data;
    for (const OutputTensor& each : tensors) {
        TensorEntry tensor;
        tensor.name = each.name;
        tensor.shape = each.shape;
        tensor.dtype = each.dtype;
        data.tensors.push_back(std::move(tensor));
    }
    return Checkpoint::make(std::move(data));
}

} // namespace

std::vector<OutputTensor> outputTensors(const CopyPlan& plan) {
    std::vector<OutputTensor> tensors;
    std::set<std::string_view> seen;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            if (seen.insert(segment.name).second) {
                tensors.push_back({std::string(segment.name),
                                   plan.source->tensor(segment.source).shape, segment.dtype});
            }
        }
    }
    return tensors;
}

std::optional<Dtype> mainDtype(std::span<const OutputTensor> tensors) {
    const CheckpointPtr index = plannedIndex(tensors);
    const QuantisedWeights quantised(*index);
    std::map<Dtype, std::uint64_t> bytes;
    for (std::size_t i = 0; i < index->tensors().size(); ++i) {
        const TensorEntry& tensor = index->tensor(TensorIndex(i));
        const DtypeInfo& info = dtypeInfo(tensor.dtype);
        const QuantisedWeight* weight = quantised.of(TensorIndex(i));
        const bool isPart = quantised.isPart(TensorIndex(i)) &&
                            (weight == nullptr || weight->codes != TensorIndex(i));
        if ((info.kind == DtypeKind::Float || info.isBlock()) && !isPart) {
            bytes[tensor.dtype] += tensor.bytes();
        }
    }
    const auto most =
        std::ranges::max_element(bytes, {}, [](const auto& item) { return item.second; });
    return most == bytes.end() || dtypeInfo(most->first).isBlock() ? std::nullopt
                                                                   : std::optional(most->first);
}

bool hasQuantisedWeights(std::span<const OutputTensor> tensors) {
    const CheckpointPtr index = plannedIndex(tensors);
    return !QuantisedWeights(*index).all().empty();
}

} // namespace cairn
