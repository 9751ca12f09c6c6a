// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"

namespace cairn::cli::verb_rename {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    const auto options = [](const Arguments& given, const Opened& source) {
        return conversionOptions(given, source, "rename");
    };
    return runConversion(arguments, session, options);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});
constexpr auto kOptions = std::to_array<Option>(
    {required(kOutputOption), required(kRenameOption), kDtypeOption, kKeepFp32Option,
     kCastAllOption, kDequantizeOption, kToOption, kOnlyOption, kStripOption, kShardOption,
     kDeviceOption, kSignOption, kSignCertOption, kProvenanceOption, kBomOption, kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "rename",
    "Write the same checkpoint with tensors renamed, verified",
    kPositionals,
    kOptions,
    {"cairn-cli rename ckpt.pt -o plain.pt --rename strip-wrappers",
     "cairn-cli rename a.safetensors -o b.safetensors --rename '^layers\\.(\\d+)=h.$1'",
     "cairn-cli rename step-400 -o out.safetensors --to safetensors --rename rules.txt --json"},
    run};

} // namespace cairn::cli::verb_rename
