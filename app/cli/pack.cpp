// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_pack {
namespace {

constexpr auto kPositionals = std::to_array<Positional>({{"SRC", "A checkpoint of any format"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb =
    jobVerb<JobKind::Pack>("Write a smaller archive of a checkpoint, verified", kPositionals,
                           {"cairn-cli pack step-400 -o step-400.cairnz",
                            "cairn-cli pack step-500 -o step-500.cairnz --delta step-400 --json",
                            "cairn-cli pack model.safetensors -o model.cairnz --level 9"});

} // namespace cairn::cli::verb_pack
