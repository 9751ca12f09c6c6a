// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_consolidate {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Consolidate>(
    "Write one deployable checkpoint, verified", kPositionals,
    {"cairn-cli consolidate step-400 -o model.safetensors",
     "cairn-cli consolidate step-400 -o deploy --bundle --max-shard-size 5GB",
     "cairn-cli consolidate step-400 -o all.pt --to torch --strip optimizer,rng --json"});

} // namespace cairn::cli::verb_consolidate
