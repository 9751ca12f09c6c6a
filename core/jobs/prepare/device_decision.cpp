// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/device_decision.h"

#include "core/compute/device_choice.h"

#include <algorithm>
#include <cstdint>

namespace cairn {
namespace {

/// libtorch itself, its temporary tensors on the processor or its pinned buffers.
constexpr std::uint64_t kDeviceMemory = std::uint64_t{256} << 20U;

/// Elements that are cast, multiplied or averaged; everything else is copied.
DeviceWork computedBy(const CopyPlan& plan) {
    DeviceWork work;
    work.sourceRate = forecastRate(WorkKind::Copy, plan.rates).bytesPerSecond;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const Dtype from = plan.source->tensor(segment.source).dtype;
            const auto recipe = plan.recipes.find(segment.source);
            const bool made = recipe != plan.recipes.end();
            if (from == segment.dtype && !made) {
                continue;
            }
            const std::uint64_t members =
                made ? std::max<std::size_t>(1, recipe->second.terms.size()) : 1;
            const std::uint64_t elements = dtypeElements(segment.dtype, segment.length);
            work.bytesIn += members * elements * dtypeInfo(from).bits / 8;
            work.bytesOut += segment.length;
        }
    }
    return work;
}

} // namespace

Result<void> decideDevice(CopyPlan& plan, std::string_view asked) {
    CAIRN_TRY(DeviceChoice choice, chooseDevice(asked, computedBy(plan)));
    if (choice.device != "cpu" && !plan.adapters.empty()) {
        choice = {"cpu", "adapters are folded in the order of additions of a processor"};
    }
    plan.forecast.device = choice.device;
    if (choice.device != "cpu") {
        plan.forecast.memoryBytes += kDeviceMemory;
        ForecastRate& rate = plan.forecast.rate; // the measured rates are those of the processor
        rate.origin = std::min(rate.origin, RateOrigin::Inferred);
    }
    plan.decisions.push_back({DecisionId::Device, verbatim(choice.device), choice.why});
    return {};
}

} // namespace cairn
