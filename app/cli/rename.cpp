// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_rename {
namespace {

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb = jobVerb<JobKind::Rename>(
    "Write the same checkpoint with tensors renamed, verified", kPositionals,
    {"cairn-cli rename ckpt.pt -o plain.pt --rename strip-wrappers",
     "cairn-cli rename a.safetensors -o b.safetensors --rename '^layers\\.(\\d+)=h.$1'",
     "cairn-cli rename step-400 -o out.safetensors --to safetensors --rename rules.txt --json"});

} // namespace cairn::cli::verb_rename
