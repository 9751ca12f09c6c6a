// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_convert {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Convert>(
    "Write a model under other names, or a training state for another trainer, verified",
    kPositionals,
    {"cairn-cli convert megatron/iter_0000500 -o deploy --names hf --like Llama-3.1-8B",
     "cairn-cli convert Llama-3.1-8B -o meta --names native --to torch",
     "cairn-cli convert lightning/last.ckpt -o resume --for fsdp2 --ranks 4"});

} // namespace cairn::cli::verb_convert
