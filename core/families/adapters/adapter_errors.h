// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// What can be wrong with an adapter and its base. Internal to core/families.
namespace cairn::adapterErrors {

Error missingHalf(const std::string& module, std::string_view wanted);
/// A tensor of the base (or of the adapter) with another shape than the adapter needs.
Error wrongShape(const TensorEntry& found, const Shape& expected);
Error wrongRank(const TensorEntry& matrix, std::int64_t wanted);
Error quantised(std::string name);
/// `name`: of the adapter's tensor; `sought`: of the base's.
Error notInBase(const AdapterBase& base, std::string name, const std::string& sought);

/// Fails if an adapter cannot be added to the elements of a base's tensor: it is quantised.
Result<void> checkBase(const TensorEntry& tensor);
/// Fails if a tensor of an adapter has unexpected elements, or not `rank` dimensions.
Result<void> checkAdapter(const TensorEntry& tensor, std::size_t rank);
/// Fails if these cannot be the two matrices of a linear layer, A [rank, in] and B [out, rank], or
/// of a convolution, A [rank, in, height, width] and B [out, rank, 1, 1].
Result<void> checkPair(const TensorEntry& a, const TensorEntry& b);

} // namespace cairn::adapterErrors
