// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/verb.h"
#include "core/jobs/engine/engine.h"
#include "core/plan/consolidate.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Options that change names and elements of an output, shared by several verbs, and their parts of
/// reports.
namespace cairn::cli {

inline constexpr Option kRenameOption{
    "--rename", "RULES",
    "FROM=TO;…, a file of such lines, or strip-prefixes; FROM is a prefix of a name or a regular "
    "expression ($1 or \\1 in TO); repeatable",
    '\n'};

/// The rules of --rename, which may be in a file. Fails: InvalidArgument for invalid rules,
/// NotFound, and LimitExceeded for a file above 1 MiB.
Result<NameRules> renameRules(const Arguments& arguments);

/// Opens the checkpoints of --adapter, or of another such option. Fails with the errors of
/// openPath().
Result<std::vector<AdapterMember>> adapterMembers(const Arguments& arguments,
                                                  std::string_view option = "adapter");

/// `adapters: [{path, scale, tensors}]`.
void writeAdapters(JsonWriter& json, std::span<const FoldedAdapter> adapters);

/// `cast: {tensors, elements, max_abs, max_ulp, overflowed, became_subnormal, became_zero}`; null
/// if nothing was cast.
void writeCast(JsonWriter& json, const JobReport& report);
/// One line for users; "" if nothing was cast.
std::string castText(const JobReport& report);

/// `left_out: [{role, tensors, bytes, by_name}]`.
void writeOmitted(JsonWriter& json, const CopyPlan& plan);

/// `checklist: [{id, item, ok, state, detail}]`.
void writeChecklist(JsonWriter& json, const CopyPlan& plan);
/// `loads: {state, text, program, model, found, expected}`; the last four if a program is known.
void writeVerdict(JsonWriter& json, const CopyPlan& plan);

} // namespace cairn::cli
