// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_average {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "Two or more checkpoints", Words::OneOrMore}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Average>(
    "Write the mean of several checkpoints of one model, verified", kPositionals,
    {"cairn-cli average step-300 step-350 step-400 -o swa.safetensors",
     "cairn-cli average a.pt b.pt c.pt -o mean.safetensors --weights 0.5,0.3,0.2",
     "cairn-cli average step-300 step-400 -o deploy/ --bundle --dtype bf16 --json"});

} // namespace cairn::cli::verb_average
