// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/families/adapter.h"

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

} // namespace cairn::adapterErrors
