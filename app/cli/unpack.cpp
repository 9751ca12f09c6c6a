// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

namespace cairn::cli::verb_unpack {
namespace {

constexpr auto kPositionals = std::to_array<Positional>(
    {{"ARCHIVE", "An archive written by `pack`, or a part of it: PATH#subtree"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb =
    jobVerb<JobKind::Unpack>("Convert an archive into a checkpoint, verified", kPositionals,
                             {"cairn-cli unpack step-400.cairnz -o step-400.safetensors",
                              "cairn-cli unpack step-400.cairnz -o step-400.pt --json",
                              "cairn-cli unpack step-400.cairnz -o step-400 --to dcp"});

} // namespace cairn::cli::verb_unpack
