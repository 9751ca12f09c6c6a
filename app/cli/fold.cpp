// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_fold {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"BASE", "The model that the adapters were trained on"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Fold>(
    "Write a model with its adapters (PEFT's LoRA) folded into the weights, verified", kPositionals,
    {"cairn-cli fold llama-3.2-1b --adapter my-lora -o deploy",
     "cairn-cli fold base --adapter sft --adapter dpo=0.5 -o deploy --max-shard-size 5GB",
     "cairn-cli fold base --adapter my-lora -o model.gguf --dtype q8_0"});

} // namespace cairn::cli::verb_fold
