// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/names/keras_source.h"

#include "core/base/counted.h"
#include "core/families/expected/model_fit.h"
#include "core/families/names/keras_names.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// The shape of a kernel in the published order (keras_names.cpp).
Shape publishedShape(const Shape& shape, bool isKernel) {
    if (!isKernel || shape.size() < 2 || shape.size() > 4) {
        return shape;
    }
    constexpr std::array<std::array<std::size_t, 4>, 5> kOrders = {
        {{}, {}, {1, 0}, {2, 1, 0}, {3, 2, 0, 1}}};
    Shape made = shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        made[d] = shape[kOrders.at(shape.size()).at(d)];
    }
    return made;
}

/// Operations that leave out dimensions of extent 1, or add one: biases of Conv1D are [1, n].
std::string rankOperations(const Shape& from, std::size_t rank) {
    std::string text;
    const auto add = [&text](const std::string& operation) {
        text += (text.empty() ? "" : "; ") + operation;
    };
    std::size_t left = from.size();
    for (std::size_t d = from.size(); left > rank && d-- > 0;) {
        if (from[d] == 1) {
            add("select " + std::to_string(d) + " 0");
            --left;
        }
    }
    for (; left < rank; ++left) {
        add("insert 0");
    }
    return text;
}

} // namespace

Result<std::optional<ConvertedSource>> fromKeras(const CheckpointPtr& source,
                                                 std::span<const NamedTensor> named,
                                                 const ModelConfig& config) {
    std::vector<std::string_view> names;
    std::vector<std::size_t> ranks;
    for (const NamedTensor& each : named) {
        names.push_back(each.name);
        ranks.push_back(source->tensor(each.tensor).shape.size());
    }
    const std::vector<KerasName> published = publishedKerasNames(names, ranks);
    std::vector<OutputTensor> outputs;
    for (std::size_t i = 0; i < published.size(); ++i) {
        const TensorEntry& tensor = source->tensor(named[i].tensor);
        outputs.push_back({published[i].published,
                           publishedShape(tensor.shape, !published[i].operations.empty()),
                           tensor.dtype});
    }
    const auto fit = fitModel(config, outputs);
    if (published.empty() || !fit || !*fit) {
        return std::nullopt;
    }
    std::string rules;
    std::vector<NamedTensor> renamed;
    const std::string& prefix = (*fit)->prefix; // a base's own name, which its class lacks
    for (std::size_t i = 0; i < published.size(); ++i) {
        const std::string name = published[i].published.substr(
            published[i].published.starts_with(prefix) ? prefix.size() : 0);
        const ExpectedTensors::Entry* expected = (*fit)->expected.find(name);
        if (expected == nullptr) {
            return std::nullopt;
        }
        renamed.push_back({named[i].tensor, name});
        const std::string& first = published[i].operations;
        const std::string then = rankOperations(outputs[i].shape, expected->shape.size());
        if (!first.empty() || !then.empty()) {
            rules += name + "\n  -> " + name + " | " + first +
                     (first.empty() || then.empty() ? "" : "; ") + then + "\n";
        }
    }
    CAIRN_TRY(const Recipe recipe, Recipe::parse(rules));
    CAIRN_TRY(const Converted converted, convertTensors(source, renamed, recipe, config));
    std::vector<OutputTensor> made;
    for (const TensorEntry& tensor : converted.checkpoint->tensors()) {
        made.push_back({tensor.name, tensor.shape, tensor.dtype});
    }
    const auto result = fitModel(config, made);
    if (!result || !*result || (*result)->answer() != LoaderAnswer::All) {
        return std::nullopt;
    }
    ConvertedSource found;
    found.checkpoint = converted.checkpoint;
    found.decisions.push_back(
        {DecisionId::NamesPublished,
         sentence("as published: %1", sentence("%1 renamed", counting(renamed.size(), "tensor"))),
         "The names and the layout are those of TensorFlow in transformers 4; they become those "
         "of the class, with all its tensors in its shapes"});
    return found;
}

} // namespace cairn
