// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planned_precision.h"

namespace cairn {
namespace {

std::uint64_t scaleBytes(const Precision& precision, const Shape& shape) {
    return precision.inBlocks()
               ? 0
               : sizeof(float) * elementCount(scaleGrid(precision.scales, shape)).value_or(0);
}

} // namespace

void listQuantised(Draft& draft) {
    if (!draft.plan.precision) {
        return;
    }
    PlannedPrecision& planned = *draft.plan.precision;
    for (const LayoutTensor& tensor : draft.tensors) {
        const TensorEntry& stored = draft.plan.source->tensor(tensor.source);
        std::uint64_t bytes =
            dtypeBytes(tensor.dtype, elementCount(tensor.shape).value_or(0)).value_or(0);
        planned.sourceBytes += stored.bytes();
        const bool isQuantised =
            tensor.dtype != stored.dtype &&
            (tensor.dtype == planned.precision->dtype || canQuantize(stored.dtype, tensor.dtype));
        if (isQuantised) {
            bytes += scaleBytes(*planned.precision, tensor.shape);
            planned.tensors.push_back(
                {tensor.source, std::string(tensor.name), tensor.dtype, bytes});
        }
        planned.bytes += bytes;
    }
    if (!planned.precision->isWritten) {
        addProblem(draft, ErrorCode::Unsupported, Severity::Error,
                   "Weights cannot be written in this precision, only its error can be forecast: " +
                       std::string(planned.precision->name),
                   "`cairn-cli plan` shows the forecast");
    }
}

} // namespace cairn
