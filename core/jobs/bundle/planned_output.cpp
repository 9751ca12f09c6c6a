// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/planned_output.h"

#include "core/families/quantised/quantised.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace cairn {

std::vector<OutputTensor> outputTensors(const CopyPlan& plan) {
    std::vector<OutputTensor> tensors;
    std::set<std::string_view> seen;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            if (seen.insert(segment.name).second) {
                tensors.push_back({std::string(segment.name),
                                   plan.source->tensor(segment.source).shape, segment.dtype});
            }
        }
    }
    return tensors;
}

std::optional<Dtype> mainDtype(const CopyPlan& plan) {
    std::map<Dtype, std::uint64_t> bytes;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const DtypeInfo& info = dtypeInfo(segment.dtype);
            if ((info.kind == DtypeKind::Float || info.isBlock()) &&
                !isQuantisationName(segment.name)) {
                bytes[segment.dtype] += segment.length;
            }
        }
    }
    const auto most =
        std::ranges::max_element(bytes, {}, [](const auto& item) { return item.second; });
    return most == bytes.end() || dtypeInfo(most->first).isBlock() ? std::nullopt
                                                                   : std::optional(most->first);
}

} // namespace cairn
