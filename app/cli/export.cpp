// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_export {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"PATH", "A checkpoint, or a part of it: PATH#subtree"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Export>(
    "Write part of a checkpoint: .npy, .safetensors, .csv", kPositionals,
    {"cairn-cli export step-400 --tensor lm_head.weight -o lm_head.npy",
     "cairn-cli export step-400 --tensor '*.norm.weight' -o norms.safetensors",
     "cairn-cli export ckpt.pt -t model.bias -o bias.csv --json"});

} // namespace cairn::cli::verb_export
