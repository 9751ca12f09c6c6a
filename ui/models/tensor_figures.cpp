// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_figures.h"

#include "core/compute/element_statistics.h"

#include <span>
#include <utility>

namespace cairn::ui {

Result<TensorFigures> readFigures(const CheckpointPtr& checkpoint, TensorIndex index, bool sample,
                                  const CancelToken& cancel) {
    const TensorEntry& tensor = checkpoint->tensor(index);
    if (!canMeasure(tensor.dtype)) {
        return fail(ErrorCode::Unsupported, "These elements are no numbers of whole bytes");
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

} // namespace cairn::ui
