// SPDX-License-Identifier: Apache-2.0
#include "core/model/single_number.h"

#include "core/model/element.h"
#include "core/model/tensor_reader.h"

namespace cairn {

std::optional<double> singleNumber(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    constexpr std::uint64_t kLargestElement = 16;
    if (tensor.elements() != 1 || !hasNumericElements(tensor.dtype)) {
        return std::nullopt;
    }
    const auto bytes = readComplete(checkpoint, tensor, kLargestElement);
    return bytes ? std::optional(elementAsDouble(tensor.dtype, *bytes)) : std::nullopt;
}

} // namespace cairn
