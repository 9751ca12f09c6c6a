// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"
#include "core/jobs/prepare/written_format.h"

namespace cairn::cli::verb_unpack {
namespace {

/// The format for the output's name; for a folder or an unknown extension: safetensors.
std::string formatFor(const std::filesystem::path& output) {
    const FormatInfo* format = formatForEnding(output);
    return format != nullptr ? std::string(format->id) : "safetensors";
}

Result<ConsolidateOptions> unpackOptions(const Arguments& arguments, const Opened& source) {
    const FormatInfo* format = findFormat(source.checkpoint->format());
    if (format == nullptr || !format->isPacked) {
        return fail(ErrorCode::InvalidArgument, "Not a Cairn archive")
            .inFile(source.path)
            .butFound(verbatim(source.checkpoint->format()))
            .withHint("`cairn-cli consolidate` converts other checkpoints");
    }
    CAIRN_TRY(ConsolidateOptions options, consolidateOptions(arguments, source));
    options.job = "unpack";
    if (!arguments.has("only")) {
        options.only.kind = Selection::Kind::All;
    }
    if (!arguments.has("to")) {
        options.to = formatFor(options.output);
    }
    return options;
}

Result<int> run(const Arguments& arguments, Session& session) {
    return runConversion(arguments, session, unpackOptions);
}

constexpr auto kPositionals = std::to_array<Positional>(
    {{"ARCHIVE", "An archive written by `pack`, or a part of it: PATH#subtree"}});
constexpr auto kOptions = std::to_array<Option>(
    {required(kOutputOption), kToOption, kOnlyOption, kStripOption, kShardOption, kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"unpack",
                 "Convert an archive into a checkpoint, verified",
                 kPositionals,
                 kOptions,
                 {"cairn-cli unpack step-400.cairnz -o step-400.safetensors",
                  "cairn-cli unpack step-400.cairnz -o step-400.pt --json",
                  "cairn-cli unpack step-400.cairnz -o step-400 --to dcp"},
                 run};

} // namespace cairn::cli::verb_unpack
