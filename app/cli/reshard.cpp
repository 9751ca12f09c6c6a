// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_reshard {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Reshard>(
    "Write a checkpoint with a different number of ranks or files, verified", kPositionals,
    {"cairn-cli reshard step-400 -o step-400-tp8 --to dcp --ranks 8",
     "cairn-cli reshard step-400 -o grid --to dcp --grid 4x2 --dim 0,1 --json",
     "cairn-cli reshard step-400 -o shards --to safetensors --max-shard-size 5GB"});

} // namespace cairn::cli::verb_reshard
