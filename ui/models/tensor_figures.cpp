// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_figures.h"

#include "core/compute/element_statistics.h"
#include "core/jobs/bundle/found_weights.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace cairn::ui {

Result<TensorFigures> readFigures(const CheckpointPtr& checkpoint, TensorIndex index, bool sample,
                                  const CancelToken& cancel) {
    CAIRN_TRY(const WeightValues weights, findWeightValues(checkpoint, cancel));
    CAIRN_CHECK(weights.checkNumbers(index));
    const CheckpointPtr& read = weights.checkpoint();
    const TensorEntry& tensor = read->tensor(index);
    if (!canMeasure(tensor.dtype) && !dtypeInfo(tensor.dtype).isBlock()) {
        return fail(ErrorCode::Unsupported, "Statistics are not supported for this dtype");
    }
    TensorFigures figures;
    if (tensor.elements() > 1) {
        HeatMapOptions options;
        options.cancel = cancel;
        CAIRN_TRY(figures.map, heatMap(*read, tensor, options));
    }
    StatisticsOptions options;
    options.cancel = cancel;
    options.sample = sample;
    options.histogram = true;
    auto measured = measureTensors(*read, std::span(&index, 1), options);
    CAIRN_TRY(figures.statistics, std::move(measured.front()));
    return figures;
}

Result<TensorFigures> readGroupFigures(const CheckpointPtr& checkpoint, const std::string& name,
                                       bool sample, const CancelToken& cancel) {
    CAIRN_TRY(const WeightValues weights, findWeightValues(checkpoint, cancel));
    const CheckpointPtr& read = weights.checkpoint();
    std::vector<TensorIndex> tensors;
    for (std::uint32_t i = 0; i < read->tensors().size(); ++i) {
        const TensorEntry& tensor = read->tensor(TensorIndex(i));
        const bool below = name.empty() || tensor.name == name ||
                           (tensor.name.starts_with(name) && tensor.name[name.size()] == '.');
        const bool wanted = below && (!name.empty() || tensor.role == Role::Weight);
        const bool numbers = canMeasure(tensor.dtype) || dtypeInfo(tensor.dtype).isBlock();
        if (wanted && !tensor.aliasOf && numbers && weights.isNumbers(TensorIndex(i))) {
            tensors.push_back(TensorIndex(i));
        }
    }
    if (tensors.empty()) {
        return fail(ErrorCode::Unsupported, "No tensor with a numeric dtype");
    }
    StatisticsOptions options;
    options.cancel = cancel;
    options.sample = sample;
    options.histogram = true;
    CAIRN_TRY(TensorStatistics all, measureTogether(*read, tensors, options));
    return TensorFigures{std::move(all), std::nullopt};
}

} // namespace cairn::ui
