// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"

#include <string>
#include <utility>
#include <vector>

/// Internal to core/plan: the request of a job for its manifest.
namespace cairn {

/// Options that differ from the defaults, with the format, the selection and the dtype first.
std::vector<std::pair<std::string, std::string>> optionsText(const ConsolidateOptions& options);

} // namespace cairn
