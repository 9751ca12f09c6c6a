// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/tied_heads.h"

#include "core/families/expected/model_fit.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <unordered_map>

namespace cairn {
namespace {

Result<bool> haveSameBytes(const Checkpoint& source, TensorIndex a, TensorIndex b,
                           const CancelToken& cancel) {
    const TensorEntry& first = source.tensor(a);
    const TensorEntry& second = source.tensor(b);
    if (first.dtype != second.dtype || first.shape != second.shape) {
        return false;
    }
    CAIRN_TRY(const TensorReader one, TensorReader::open(source, first));
    CAIRN_TRY(const TensorReader other, TensorReader::open(source, second));
    if (std::uint64_t{dtypeInfo(first.dtype).bits} != 8 * one.elementBytes()) {
        return false; // packed: nobody ties these
    }
    const auto count = elementCount(first.shape);
    const std::uint64_t total = count.value_or(0) * one.elementBytes();
    const std::uint64_t step = TensorReader::kMaxSpan / one.elementBytes() * one.elementBytes();
    std::vector<std::byte> left;
    std::vector<std::byte> right;
    TensorReader::Scratch scratch;
    for (std::uint64_t at = 0; at < total; at += step) {
        CAIRN_CHECK(cancel.check());
        left.resize(std::min(step, total - at));
        right.resize(left.size());
        CAIRN_CHECK(one.readBytes(Box::whole(first.shape), at, left, scratch));
        CAIRN_CHECK(other.readBytes(Box::whole(second.shape), at, right, scratch));
        if (left != right) {
            return false;
        }
    }
    return count.has_value();
}

} // namespace

Result<std::vector<TiedTensor>> findTiedHeads(const CheckpointPtr& source,
                                              const JobRequest& request, const ModelConfig& config,
                                              const Value* values, const CancelToken& cancel) {
    CAIRN_TRY(const std::vector<TensorIndex> chosen, selectTensors(*source, request.only));
    const std::string prefix = containerPrefix(*source, chosen, values);
    std::vector<OutputTensor> tensors;
    std::unordered_map<std::string, TensorIndex> byName;
    for (const TensorIndex index : chosen) {
        const TensorEntry& tensor = source->tensor(index);
        tensors.push_back({tensor.name.substr(prefix.size()), tensor.shape});
        byName.emplace(tensors.back().name, index);
    }
    std::vector<TiedTensor> tied;
    const auto fit = fitModel(config, tensors);
    if (!fit || !*fit || !(*fit)->prefix.empty()) {
        return tied; // the checklist tells why
    }
    for (const auto& [name, entry] : (*fit)->expected.all()) {
        const auto tensor = byName.find(name);
        const auto kept = entry.tiedTo.empty() ? byName.end() : byName.find(entry.tiedTo);
        if (tensor == byName.end() || kept == byName.end() ||
            source->tensor(tensor->second).aliasOf || source->tensor(kept->second).aliasOf) {
            continue;
        }
        CAIRN_TRY(const bool same, haveSameBytes(*source, tensor->second, kept->second, cancel));
        if (same) {
            tied.push_back({tensor->second, kept->second});
        }
    }
    std::ranges::sort(tied, {}, &TiedTensor::tensor);
    return tied;
}

} // namespace cairn
