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

inline constexpr Option kDtypeOption{
    "--dtype", "DTYPE",
    "keep (default), cast floats to bf16, fp16, fp32, float64, float8_e4m3fn, float8_e5m2, …, or "
    "quantise matrices with scales: q8_0, q4_0 (GGUF), fp8, fp8_tensor, fp8_block (as vLLM reads "
    "them); `plan` shows the error that this causes, also of q4_k and int8"};
inline constexpr Option kKeepFp32Option{
    "--keep-fp32", "GLOB", "Full names of floats to write as float32; repeatable", ';'};
inline constexpr Option kCastAllOption{"--cast-all", "",
                                       "Also cast norms, buffers and training state"};
inline constexpr Option kDequantizeOption{
    "--dequantize", "", "Multiply 8-bit weights by their scales: bf16, or the dtype of --dtype"};
inline constexpr Option kWeightsOption{
    "--weights", "W,W,…", "For average: the weight of each checkpoint; default: equal weights"};
inline constexpr Option kAdapterOption{"--adapter", "PATH[=SCALE]",
                                       "Fold this adapter (PEFT's LoRA) into the weights, its "
                                       "changes times SCALE; repeatable, in order",
                                       '\n'};
inline constexpr Option kRoundChangesOption{
    "--round-changes", "",
    "Round an adapter's changes to the weights' dtype before adding them, as PEFT's safe_merge"};
inline constexpr Option kRenameOption{
    "--rename", "RULES",
    "FROM=TO;…, a file of such lines, or strip-prefixes; FROM is a prefix of a name or a regular "
    "expression ($1 or \\1 in TO); repeatable",
    '\n'};

/// The rules of --rename; `written`, unless null, gets the original text. Fails: InvalidArgument
/// for invalid rules, LimitExceeded for a file above 1 MiB.
Result<NameRules> renameRules(const Arguments& arguments, std::string* written = nullptr);

/// Fails as renameRules().
Result<void> readTransforms(const Arguments& arguments, ConsolidateOptions& options);

/// The path and the scale of "PATH=0.5"; 1 if the text after the last `=` is no number.
std::pair<std::string, double> splitScale(const std::string& text);
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

} // namespace cairn::cli
