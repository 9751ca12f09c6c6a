// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/name_rules.h"
#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

#include <string>
#include <vector>

/// Internal to core/plan: which selected tensors are written, and their names.
namespace cairn {

struct NamePlan {
    std::string prefix;                ///< removed from every name
    const NameRules* rename = nullptr; ///< applied after that; may be null
    std::string rules;                 ///< the rules as text
    bool sharesBytes = false;          ///< the format can record that two names are one tensor
    bool copies = false;               ///< otherwise every tied name gets a copy of the bytes
};

/// Sets draft.tensors (and the metadata with the omitted tied names). Two tensors with the same
/// name, and a name that rules made empty, are problems of severity Error; a rule without effect,
/// and rules that separate a weight from its scales, are warnings. Linear in tensors.
void listTensors(Draft& draft, const NamePlan& names);

/// Leaves out of draft.chosen what the model's library ties to a tensor with the same bytes, and
/// returns those that were chosen. A format that `sharesBytes` keeps both names of one stored
/// tensor. Linear in `tied` times tensors.
std::vector<TiedTensor> leaveOutTied(Draft& draft, const std::vector<TiedTensor>& tied,
                                     bool sharesBytes);

/// Sets the decision and the metadata (with the names of the output) about what leaveOutTied()
/// returned. A name that another tensor has is a problem of severity Error.
void decideOmitted(Draft& draft, const std::vector<TiedTensor>& omitted, const NamePlan& names);

} // namespace cairn
