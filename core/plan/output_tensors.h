// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/name_rules.h"
#include "core/plan/draft.h"

#include <string>

/// Internal to core/plan: which of the chosen tensors are written, and under which names.
namespace cairn {

struct NamePlan {
    std::string prefix;                ///< dropped from every name
    const NameRules* rename = nullptr; ///< applied to what is left; may be null
    std::string rules;                 ///< as they were asked for
    bool sharesBytes = false;          ///< the format can state that two names are one tensor
    bool copies = false;               ///< it cannot, and every tied name gets the bytes
};

/// Fills draft.tensors (and the metadata that records which tied names were left out). Two tensors
/// under one name, and a name that rules made empty, are problems of severity Error; a rule that
/// changes nothing is a warning. Linear in tensors.
void listTensors(Draft& draft, const NamePlan& names);

} // namespace cairn
