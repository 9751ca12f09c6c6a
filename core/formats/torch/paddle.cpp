// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/paddle.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace cairn::formats::torch {
namespace {

constexpr std::string_view kPaddleMark = "StructuredToParameterName@@";
constexpr auto kPaddleEndings =
    std::to_array<std::string_view>({".pdparams", ".pdopt", ".pdckpt", ".pdtensor", ".pdt"});

/// (name, array)
const TensorIndex* arrayOfPair(const Value& value) {
    const auto& items = value.items();
    const bool pair = value.kind() == ValueKind::Tuple && items.size() == 2 &&
                      items[0].value.asString() != nullptr;
    return pair ? items[1].value.asTensor() : nullptr;
}

/// Replaces pairs by their arrays. Recursion is limited by Value::kMaxDepth; a shared container is
/// converted once.
class PairRemover {
public:
    explicit PairRemover(std::vector<TensorEntry>& tensors) : m_tensors(tensors) {}

    Value convert(const Value& value) {
        if (const TensorIndex* array = arrayOfPair(value)) {
            toTensor(*array);
            std::string& name = m_tensors[array->position()].name;
            constexpr std::string_view kSecond = ".1";
            if (name == "1") {
                name = "tensor"; // the root
            } else if (name.ends_with(kSecond)) {
                name.resize(name.size() - kSecond.size());
            }
            return *array;
        }
        if (!value.isContainer()) {
            return value;
        }
        const auto [known, isNew] = m_done.try_emplace(value.identity(), value);
        if (!isNew) {
            return known->second;
        }
        ValueNode node = *value.asNode();
        for (ValueItem& item : node.items) {
            item.value = convert(item.value);
        }
        return m_done[value.identity()] = Value::container(std::move(node));
    }

    /// An array that Paddle loads as a tensor; it has none of uint16.
    void toTensor(TensorIndex array) {
        TensorEntry& tensor = m_tensors[array.position()];
        tensor.dtype = tensor.dtype == Dtype::Uint16 ? Dtype::Bfloat16 : tensor.dtype;
    }

private:
    std::vector<TensorEntry>& m_tensors;
    std::unordered_map<const void*, Value> m_done;
};

bool holdsPair(const Value& value, int depth) {
    constexpr int kMaxDepth = 4;
    return arrayOfPair(value) != nullptr ||
           (depth < kMaxDepth && std::ranges::any_of(value.items(), [&](const ValueItem& item) {
                return holdsPair(item.value, depth + 1);
            }));
}

} // namespace

bool isPaddle(const TorchObjects& objects, std::string_view fileName) {
    const bool named = std::ranges::any_of(
        kPaddleEndings, [&](std::string_view ending) { return fileName.ends_with(ending); });
    return objects.root.find(kPaddleMark) != nullptr || (named && holdsPair(objects.root, 0));
}

void readAsPaddle(TorchObjects& objects) {
    PairRemover pairs(objects.tensors);
    if (objects.root.find(kPaddleMark) != nullptr) {
        for (const ValueItem& item : objects.root.items()) {
            if (const TensorIndex* array = item.value.asTensor()) {
                pairs.toTensor(*array);
            }
        }
    }
    objects.root = pairs.convert(objects.root);
}

} // namespace cairn::formats::torch
