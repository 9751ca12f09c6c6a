// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_figures.h"

#include "core/compute/element_statistics.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace cairn::ui {

Result<TensorFigures> readFigures(const CheckpointPtr& checkpoint, TensorIndex index, bool sample,
                                  const CancelToken& cancel) {
    const TensorEntry& tensor = checkpoint->tensor(index);
    if (!canMeasure(tensor.dtype) && !dtypeInfo(tensor.dtype).isBlock()) {
        return fail(ErrorCode::Unsupported, "Statistics are not supported for this dtype");
    }
    TensorFigures figures;
    if (tensor.elements() > 1) {
        HeatMapOptions options;
        options.cancel = cancel;
        CAIRN_TRY(figures.map, heatMap(*checkpoint, tensor, options));
    }
    StatisticsOptions options;
    options.cancel = cancel;
    options.sample = sample;
    options.histogram = true;
    auto measured = measureTensors(*checkpoint, std::span(&index, 1), options);
    CAIRN_TRY(figures.statistics, std::move(measured.front()));
    return figures;
}

Result<TensorFigures> readGroupFigures(const CheckpointPtr& checkpoint, const std::string& name,
                                       bool sample, const CancelToken& cancel) {
    std::vector<TensorIndex> tensors;
    for (std::uint32_t i = 0; i < checkpoint->tensors().size(); ++i) {
        const TensorEntry& tensor = checkpoint->tensor(TensorIndex(i));
        const bool below = name.empty() || tensor.name == name ||
                           (tensor.name.starts_with(name) && tensor.name[name.size()] == '.');
        const bool wanted = below && (!name.empty() || tensor.role == Role::Weight);
        const bool numbers = canMeasure(tensor.dtype) || dtypeInfo(tensor.dtype).isBlock();
        if (wanted && !tensor.aliasOf && numbers) {
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
    CAIRN_TRY(TensorStatistics all, measureTogether(*checkpoint, tensors, options));
    return TensorFigures{std::move(all), std::nullopt};
}

} // namespace cairn::ui
