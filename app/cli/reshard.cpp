// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reshard.h"

#include "app/cli/job_output.h"
#include "app/cli/verb.h"
#include "core/formats/format.h"

namespace cairn::cli::verb_reshard {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    return runConversion(arguments, session, reshardOptions);
}

constexpr Option kFormatOption{"--to", "FORMAT", "dcp (default with --ranks) or safetensors"};
constexpr Option kEverythingOption{"--only", "WHAT",
                                   "all (default), weights, or a GLOB of full names"};

constexpr auto kPositionals =
    std::to_array<Positional>({{"SRC", "A checkpoint, or a part of it: PATH#subtree"}});
constexpr auto kOptions = std::to_array<Option>({required(kOutputOption),
                                                 kFormatOption,
                                                 kRanksOption,
                                                 kDimOption,
                                                 kGridOption,
                                                 kShardOption,
                                                 kPerLayerOption,
                                                 kEverythingOption,
                                                 kStripOption,
                                                 kDtypeOption,
                                                 kKeepFp32Option,
                                                 kCastAllOption,
                                                 kDequantizeOption,
                                                 kRenameOption,
                                                 kLikeOption,
                                                 kDeviceOption,
                                                 kSignOption,
                                                 kSignCertOption,
                                                 kProvenanceOption,
                                                 kBomOption,
                                                 kForceOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"reshard",
                 "Write a checkpoint with a different number of ranks or files, verified",
                 kPositionals,
                 kOptions,
                 {"cairn-cli reshard step-400 -o step-400-tp8 --to dcp --ranks 8",
                  "cairn-cli reshard step-400 -o grid --to dcp --grid 4x2 --dim 0,1 --json",
                  "cairn-cli reshard step-400 -o shards --to safetensors --max-shard-size 5GB"},
                 run};

} // namespace cairn::cli::verb_reshard

namespace cairn::cli {

Result<ConsolidateOptions> reshardOptions(const Arguments& arguments, const Opened& source) {
    CAIRN_TRY(ConsolidateOptions options, consolidateOptions(arguments, source));
    CAIRN_TRY(options.sharding.axes, parseShardAxes(arguments.text("ranks").value_or(""),
                                                    arguments.text("grid").value_or(""),
                                                    arguments.text("dim").value_or("")));
    options.job = "reshard";
    if (!arguments.has("only")) {
        options.only.kind = Selection::Kind::All;
    }
    if (arguments.has("like") && options.only.kind != Selection::Kind::Weights) {
        return fail(ErrorCode::InvalidArgument, "A config and a tokenizer belong to weights")
            .inField("--like")
            .withHint("Use --only weights");
    }
    options.sharding.perLayer = arguments.has("per-layer");
    if (!arguments.has("to")) {
        options.to = options.sharding.axes.empty() ? "safetensors" : "dcp";
    }
    if (options.sharding.empty() && options.maxShardBytes == 0) {
        return fail(ErrorCode::InvalidArgument, "No number of parts was specified")
            .expecting("--ranks N, --grid RxC, --max-shard-size SIZE or --per-layer");
    }
    if (options.sharding.perLayer &&
        (!options.sharding.axes.empty() || options.maxShardBytes != 0)) {
        return fail(ErrorCode::InvalidArgument, "One file per layer excludes a number of parts")
            .butFound("--per-layer");
    }
    const FormatInfo* format = findFormat(options.to);
    if (format != nullptr && format->writes.splitsFiles && !options.sharding.axes.empty() &&
        options.maxShardBytes != 0) {
        return fail(ErrorCode::InvalidArgument, "A number of files excludes a maximum file size")
            .butFound("--max-shard-size");
    }
    return options;
}

} // namespace cairn::cli
