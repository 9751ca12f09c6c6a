// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/tied_heads.h"

#include "core/families/expected/class_names.h"
#include "core/families/expected/model_fit.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <unordered_map>

namespace cairn {
namespace {

/// The names that the config's class ties, each with the one that it publishes.
class Ties {
public:
    Ties(const ModelConfig& config, const std::vector<OutputTensor>& tensors, bool untied) {
        auto fit = fitModel(config, tensors);
        if (fit && *fit) {
            m_expected =
                (*fit)->prefix.empty() ? std::optional(std::move((*fit)->expected)) : std::nullopt;
        } else if (!untied) {
            m_names = ClassNames::of(config);
        }
    }

    [[nodiscard]] std::string keptFor(const std::string& name) const {
        const auto* entry = m_expected ? m_expected->find(name) : nullptr;
        return entry != nullptr ? entry->tiedTo : m_names ? m_names->tiedTo(name) : std::string();
    }
    /// Whether names that are tied by the config are so by the class alone, whose default it is.
    [[nodiscard]] bool areOfConfig() const { return m_expected.has_value(); }

private:
    std::optional<ExpectedTensors> m_expected;
    std::optional<ClassNames> m_names;
};

} // namespace

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

Result<std::vector<TiedTensor>> findTiedHeads(const CheckpointPtr& source,
                                              const JobRequest& request, const ModelConfig& config,
                                              const Value* values, TieEvidence evidence,
                                              const CancelToken& cancel) {
    CAIRN_TRY(const std::vector<TensorIndex> chosen, selectTensors(*source, request.only));
    const std::string prefix = containerPrefix(*source, chosen, values);
    std::vector<OutputTensor> tensors;
    std::unordered_map<std::string, TensorIndex> byName;
    for (const TensorIndex index : chosen) {
        const TensorEntry& tensor = source->tensor(index);
        tensors.push_back({tensor.name.substr(prefix.size()), tensor.shape});
        byName.emplace(tensors.back().name, index);
    }
    const Ties ties(config, tensors, request.tied == TiedWeights::Copies);
    const auto root = [&](TensorIndex index) {
        return source->tensor(index).aliasOf.value_or(index);
    };
    std::vector<TiedTensor> tied;
    for (const auto& [name, tensor] : byName) {
        const std::string wanted = ties.keptFor(name);
        const auto kept = wanted.empty() ? byName.end() : byName.find(wanted);
        if (kept == byName.end()) {
            continue;
        }
        bool same = root(tensor) == root(kept->second) &&
                    source->tensor(tensor).shape == source->tensor(kept->second).shape;
        const bool apart = !source->tensor(tensor).aliasOf && !source->tensor(kept->second).aliasOf;
        if (evidence == TieEvidence::Bytes && apart && ties.areOfConfig()) {
            CAIRN_TRY(same, haveSameBytes(*source, tensor, kept->second, cancel));
        }
        if (same) {
            tied.push_back({tensor, kept->second});
        }
    }
    std::ranges::sort(tied, {}, &TiedTensor::tensor);
    return tied;
}

} // namespace cairn
