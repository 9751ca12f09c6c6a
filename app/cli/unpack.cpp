// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verbs.h"
#include "core/jobs/prepare.h"

namespace cairn::cli {
namespace {

/// The format that the output's name stands for; a folder or an unknown ending: safetensors.
std::string formatFor(const std::filesystem::path& output) {
    const std::string ending = output.extension().string();
    if (ending == ".pt" || ending == ".pth" || ending == ".bin" || ending == ".ckpt") {
        return "torch";
    }
    return ending == ".npz" ? "npz" : "safetensors";
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened source, openPath(arguments.at(0), session.cancel));
    if (source.checkpoint->format() != "archive") {
        return fail(ErrorCode::InvalidArgument, "This is not an archive")
            .inFile(source.path)
            .butFound(source.checkpoint->format())
            .withHint("`cairn-cli consolidate` converts other checkpoints");
    }
    CAIRN_TRY(ConsolidateOptions options, consolidateOptions(arguments, source));
    options.job = "unpack";
    options.output = arguments.at(1);
    if (!arguments.has("only")) {
        options.only = Selection::parse("all");
        options.only.subtree = source.member;
    }
    if (!arguments.has("to")) {
        options.to = formatFor(options.output);
    }
    CAIRN_TRY(const CopyPlan plan, prepareConsolidate(source.checkpoint, options, session.cancel));
    return runPlanned(plan, session);
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"ARCHIVE", "What `pack` wrote, or a part of it: PATH#subtree"},
                               {"OUT", "File or folder to be made; never one that exists"}});
constexpr auto kOptions = std::to_array<Option>({kToOption, kOnlyOption, kShardOption});

} // namespace

const Verb kUnpackVerb{"unpack",
                       "Write what an archive holds as a checkpoint, verified",
                       kPositionals,
                       kOptions,
                       {"cairn-cli unpack step-400.cairnz step-400.safetensors",
                        "cairn-cli unpack step-400.cairnz step-400.pt --json",
                        "cairn-cli unpack step-400.cairnz step-400 --to dcp"},
                       run};

} // namespace cairn::cli
