// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff_weights.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

/// First all weights that can be are read as numbers. Those that find a weight on the other side
/// stay so; the others are codes again, and find codes of the same name.
namespace cairn {
namespace {

using Kind = QuantisedTensor::Kind;
using Chosen = std::map<TensorIndex, std::optional<Dtype>>;

bool isWholeFloat(Dtype dtype) {
    return dtype == Dtype::Float32 || dtype == Dtype::Float16 || dtype == Dtype::Bfloat16;
}

/// The weights of one side that the other has. `other`: those of the other side.
void choose(const WeightValues& own, TensorIndex tensor, const WeightValues& other,
            TensorIndex partner, Chosen& chosen) {
    if (!own.isWeight(tensor) || !other.isNumbers(partner)) {
        return;
    }
    const Dtype dtype = other.checkpoint()->tensor(partner).dtype;
    const bool takesOther =
        own.hasAnyDtype(tensor) && !other.hasAnyDtype(partner) && isWholeFloat(dtype);
    chosen.emplace(tensor, takesOther ? std::optional(dtype) : std::nullopt);
}

/// Weights that are compared as numbers, by name, with how they are stored.
struct StoredAs {
    std::string_view layout;
    const TensorEntry* codes = nullptr;
};
std::map<std::string, StoredAs> storedWeights(const WeightValues& values) {
    std::map<std::string, StoredAs> found;
    for (const auto& [index, tensor] : values.tensors()) {
        if (tensor.kind == Kind::Weight) {
            found.emplace(tensor.weight, StoredAs{tensor.layout, &values.stored()->tensor(index)});
        }
    }
    return found;
}

/// Whether the tensor is a part of a weight that is compared as numbers.
bool isComparedPart(const WeightValues& values, const std::map<std::string, StoredAs>& weights,
                    TensorIndex index) {
    const QuantisedTensor* tensor = values.find(index);
    return tensor != nullptr && tensor->kind == Kind::Part && weights.contains(tensor->weight);
}

class Parts {
public:
    explicit Parts(WeightsDiff& diff)
        : m_diff(diff), m_left(storedWeights(diff.leftWeights)),
          m_right(storedWeights(diff.rightWeights)) {}

    void settle() {
        StructureDiff& structure = m_diff.structure;
        std::erase_if(structure.onlyLeft, [&](TensorIndex index) {
            return isComparedPart(m_diff.leftWeights, m_left, index);
        });
        std::erase_if(structure.onlyRight, [&](TensorIndex index) {
            return isComparedPart(m_diff.rightWeights, m_right, index);
        });
        std::vector<TensorPair> pairs;
        for (TensorPair& pair : structure.pairs) {
            const bool numbers = m_diff.leftWeights.isNumbers(pair.left) &&
                                 m_diff.rightWeights.isNumbers(pair.right);
            pair.stored = !numbers;
            if (numbers || isOfOneLayout(pair)) {
                pairs.push_back(pair);
            }
        }
        structure.pairs = std::move(pairs);
    }

private:
    /// False for parts whose weights are compared as numbers, but are stored in two ways.
    [[nodiscard]] bool isOfOneLayout(const TensorPair& pair) const {
        const bool left = isComparedPart(m_diff.leftWeights, m_left, pair.left);
        const bool right = isComparedPart(m_diff.rightWeights, m_right, pair.right);
        if (!left && !right) {
            return true;
        }
        if (!left || !right) {
            return false;
        }
        const StoredAs& l = m_left.at(m_diff.leftWeights.find(pair.left)->weight);
        const StoredAs& r = m_right.at(m_diff.rightWeights.find(pair.right)->weight);
        return l.layout == r.layout && l.codes->dtype == r.codes->dtype &&
               l.codes->shape == r.codes->shape;
    }

    WeightsDiff& m_diff;
    std::map<std::string, StoredAs> m_left;
    std::map<std::string, StoredAs> m_right;
};

} // namespace

std::size_t WeightsDiff::comparedAsNumbers() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(structure.pairs, [&](const TensorPair& pair) {
            return !pair.stored &&
                   (leftWeights.isWeight(pair.left) || rightWeights.isWeight(pair.right));
        }));
}

std::size_t WeightsDiff::comparedAsCodes() const {
    const auto isCodes = [](const WeightValues& values, TensorIndex index) {
        const QuantisedTensor* tensor = values.find(index);
        return tensor != nullptr && tensor->kind == Kind::Codes;
    };
    return static_cast<std::size_t>(
        std::ranges::count_if(structure.pairs, [&](const TensorPair& pair) {
            return isCodes(leftWeights, pair.left) || isCodes(rightWeights, pair.right);
        }));
}

WeightsDiff weightsDiff(DiffSide left, const WeightValues& leftWeights, DiffSide right,
                        const WeightValues& rightWeights, const NameRules& rules) {
    WeightsDiff diff{std::move(left), std::move(right), leftWeights, rightWeights, {}};
    if (leftWeights.tensors().empty() && rightWeights.tensors().empty()) {
        diff.structure = structureDiff(diff.left, diff.right, rules);
        return diff;
    }
    diff.left.checkpoint = leftWeights.checkpoint();
    diff.right.checkpoint = rightWeights.checkpoint();
    Chosen lefts;
    Chosen rights;
    for (const TensorPair& pair : structureDiff(diff.left, diff.right, rules).pairs) {
        choose(leftWeights, pair.left, rightWeights, pair.right, lefts);
        choose(rightWeights, pair.right, leftWeights, pair.left, rights);
    }
    const Sentence why = "The other checkpoint does not have the weight as numbers";
    diff.leftWeights = leftWeights.only(lefts, why);
    diff.rightWeights = rightWeights.only(rights, why);
    diff.left.checkpoint = diff.leftWeights.checkpoint();
    diff.right.checkpoint = diff.rightWeights.checkpoint();
    diff.structure = structureDiff(diff.left, diff.right, rules);
    Parts(diff).settle();
    return diff;
}

} // namespace cairn
