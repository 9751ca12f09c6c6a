// SPDX-License-Identifier: Apache-2.0
#include "core/model/single_number.h"

#include "core/model/checked_elements.h"
#include "core/model/element.h"

namespace cairn {

std::optional<double> singleNumber(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    constexpr std::uint64_t kLargestElement = 16;
    if (tensor.elements() != 1 || !hasNumericElements(tensor.dtype)) {
        return std::nullopt;
    }
    const auto read = readChecked(checkpoint, tensor, kLargestElement);
    return read ? std::optional(elementAsDouble(tensor.dtype, read->bytes)) : std::nullopt;
}

} // namespace cairn
