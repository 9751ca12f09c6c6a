// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_cast {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Cast>(
    "Write the same checkpoint with its floats cast to a different dtype, verified", kPositionals,
    {"cairn-cli cast model.safetensors -o model-bf16.safetensors --dtype bf16",
     "cairn-cli cast ckpt.pt -o half.pt --dtype fp16 --keep-fp32 '*lm_head*' --json",
     "cairn-cli cast deepseek -o deepseek-bf16/ --dtype bf16 --dequantize --max-shard-size 5GB"});

} // namespace cairn::cli::verb_cast
