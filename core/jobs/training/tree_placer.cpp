// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/tree_placer.h"

#include <algorithm>
#include <string_view>

namespace cairn {
namespace {

constexpr std::string_view kStepKey = "step";
constexpr std::size_t kMostValues = 50'000'000; ///< copied nodes of a tree that shares its nodes

/// Of "TAG/zero/PARAMETER/exp_avg.param" the position after the file.
std::size_t fileEnd(const std::string& path) {
    return std::min(path.find('.', path.rfind('/') + 1), path.size());
}

/// As the reader of DeepSpeed's folders names it.
std::string shownName(const std::string& path) {
    constexpr std::string_view kZero = "/zero/";
    constexpr std::string_view kMaster = "fp32";
    constexpr std::string_view kModule = "module.";
    const std::size_t zero = path.find(kZero);
    const std::size_t slash = path.rfind('/');
    const std::size_t end = fileEnd(path);
    if (zero != std::string::npos && slash > zero + kZero.size()) {
        const std::string parameter = path.substr(zero + kZero.size(), slash - zero - kZero.size());
        const std::string state = path.substr(slash + 1, end - slash - 1);
        return state == kMaster ? parameter : parameter + "." + state;
    }
    if (zero != std::string::npos) {
        return path.substr(slash + 1);
    }
    const std::string rest = end < path.size() ? path.substr(end + 1) : path.substr(slash + 1);
    return rest.starts_with(kModule) ? rest.substr(kModule.size()) : rest;
}

} // namespace

Result<CheckpointPtr> TreePlacer::place(const Value& tree) {
    m_values = copy(tree, {}, 0);
    if (m_copied > kMostValues) {
        return fail(ErrorCode::LimitExceeded, "The plain values contain too many shared "
                                              "references to be written");
    }
    CheckpointData data = m_source.data();
    data.tensors = std::move(m_tensors);
    tieAgain(data.tensors);
    data.loadValues = [values = m_values](const CancelToken&) {
        return Result<LoadedValues>(LoadedValues(values));
    };
    return Checkpoint::make(std::move(data));
}

Value TreePlacer::copy(const Value& value, const std::string& path, int depth) {
    if (const TensorIndex* tensor = value.asTensor()) {
        return {placeTensor(*tensor, path)};
    }
    if (!value.isContainer() || !hasTensors(value) || depth > Value::kMaxDepth ||
        ++m_copied > kMostValues) {
        return value;
    }
    ValueNode node = *value.asNode();
    std::size_t position = 0;
    for (ValueItem& item : node.items) {
        const std::string key =
            item.key.kind() == ValueKind::Null ? std::to_string(position) : keyText(item.key);
        const bool isBare = path.empty() && key == m_options.bareKey;
        if (const TensorIndex* step =
                m_options.stepsApart && key == kStepKey ? item.value.asTensor() : nullptr) {
            item.value = Value(placeStep(*step, path.empty() ? key : path + "." + key));
            ++position;
            continue;
        }
        item.value =
            copy(item.value, path.empty() ? (isBare ? std::string() : key) : path + "." + key,
                 depth + 1);
        ++position;
    }
    return Value::container(std::move(node));
}

/// Optimizers count each parameter's step in place: one tensor of several would be counted
/// several times, so that each becomes one of its own.
TensorIndex TreePlacer::placeStep(TensorIndex tensor, const std::string& path) {
    const TensorIndex placed = placeTensor(tensor, path);
    if (m_stepPlaced.insert(placed).second) {
        return placed;
    }
    m_tensors.push_back(m_source.tensor(tensor));
    m_tensors.back().name = m_options.filesApart ? shownName(path) : path;
    m_from.push_back(tensor);
    m_apart.insert(m_tensors.size() - 1);
    return TensorIndex(m_tensors.size() - 1);
}

TensorIndex TreePlacer::placeTensor(TensorIndex tensor, const std::string& path) {
    const std::string file = m_options.filesApart ? path.substr(0, fileEnd(path)) : std::string();
    const auto [at, isNew] = m_placed.try_emplace({file, tensor}, TensorIndex(m_tensors.size()));
    m_isPlaced.insert(storedAs(tensor));
    if (isNew) {
        m_tensors.push_back(m_source.tensor(tensor));
        m_tensors.back().name = m_options.filesApart ? shownName(path) : path;
        m_from.push_back(tensor);
    }
    return at->second;
}

TensorIndex TreePlacer::storedAs(TensorIndex tensor) const {
    return m_source.tensor(tensor).aliasOf.value_or(tensor);
}

bool TreePlacer::hasTensors(const Value& value) {
    if (value.asTensor() != nullptr) {
        return true;
    }
    if (!value.isContainer()) {
        return false;
    }
    if (const auto known = m_holding.find(value.identity()); known != m_holding.end()) {
        return known->second;
    }
    const bool holds = std::ranges::any_of(
        value.items(), [&](const ValueItem& item) { return hasTensors(item.value); });
    m_holding.emplace(value.identity(), holds);
    return holds;
}

/// The first of several names of the same bytes is the stored one.
void TreePlacer::tieAgain(std::vector<TensorEntry>& tensors) const {
    std::map<TensorIndex, TensorIndex> first; // by the source's stored tensor
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorIndex stored = tensors[i].aliasOf.value_or(m_from[i]);
        const auto [at, isNew] = first.try_emplace(stored, TensorIndex(i));
        tensors[i].aliasOf.reset();
        if (!isNew && !m_apart.contains(i)) {
            tensors[i].aliasOf = at->second;
        }
    }
}

} // namespace cairn
