// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "core/base/absolute_path.h"
#include "core/base/visible_text.h"
#include "core/formats/format.h"
#include "core/model/precision.h"
#include "core/runs/scan/nearby_adapters.h"

#include <utility>

/// The options of jobs from the arguments of verbs.
namespace cairn::cli {
namespace {

/// Whether --dtype asks for quantised blocks.
bool hasBlocks(std::string_view dtype) {
    const Precision* precision = precisionOf(dtype);
    return precision != nullptr && precision->inBlocks();
}

Selection selectionOf(const std::string& text, const Opened& source) {
    Selection selection = Selection::parse(text);
    selection.subtree = source.member;
    return selection;
}

/// "; found near it: lora-a, lora-b", relative to the checkpoint's folder.
std::string adaptersNear(const Opened& source) {
    const std::filesystem::path path = absolutePath(source.checkpoint->path());
    const std::filesystem::path around = path.parent_path();
    const auto adapters = nearbyAdapters(path, {});
    std::string text;
    for (const NearbyAdapter& each : adapters ? *adapters : std::vector<NearbyAdapter>()) {
        text += (text.empty() ? "; found near it: " : ", ") +
                visibleText(each.path.lexically_relative(around).string());
    }
    return text;
}

} // namespace

Result<ConsolidateOptions> consolidateOptions(const Arguments& arguments, const Opened& source) {
    ConsolidateOptions options;
    options.device = arguments.text("device").value_or(options.device);
    options.output = arguments.text("output").value_or("");
    options.to = arguments.text("to").value_or(options.to);
    options.only = selectionOf(
        arguments.text("only").value_or(arguments.has("strip") ? "all" : "weights"), source);
    CAIRN_TRY(options.only.without, parseRoles(arguments.text("strip").value_or("")));
    CAIRN_CHECK(readTransforms(arguments, options));
    if (!arguments.has("to") && hasBlocks(options.dtype)) {
        options.to = "gguf"; // the only format that stores them
    }
    options.like = arguments.text("like").value_or("");
    options.bundle = arguments.has("bundle") || arguments.has("like");
    options.names = arguments.text("names").value_or(options.names);
    options.family = arguments.text("family").value_or("");
    options.force = arguments.has("force");
    CAIRN_TRY(options.adapters, adapterMembers(arguments));
    options.roundsChanges = arguments.has("round-changes");
    if (const auto required = arguments.text("require")) {
        if (*required != "loadable") {
            return fail(ErrorCode::InvalidArgument, "Unknown requirement")
                .butFound(verbatim(*required))
                .expecting("loadable");
        }
        options.mustLoad = true;
    }
    if (const auto size = arguments.text("max-shard-size")) {
        CAIRN_TRY(options.maxShardBytes, parseSize(*size));
    }
    return options;
}

Result<ConsolidateOptions> foldOptions(const Arguments& arguments, const Opened& source) {
    CAIRN_TRY(ConsolidateOptions options, consolidateOptions(arguments, source));
    if (options.adapters.empty()) {
        return fail(ErrorCode::InvalidArgument, "No adapter was specified")
            .withHint(sentence("Use --adapter PATH%1", adaptersNear(source)));
    }
    options.job = "fold";
    const bool isFile = std::filesystem::path(options.output).extension() == ".gguf";
    if (isFile && !arguments.has("to")) {
        options.to = "gguf";
    }
    options.bundle = options.to != "gguf"; // which has config and tokenizer inside
    return options;
}

Result<ConsolidateOptions> convertOptions(const Arguments& arguments, const Opened& source) {
    if (!arguments.has("names")) {
        return fail(ErrorCode::InvalidArgument, "No names were specified")
            .withHint("Use --names hf, or the names of a framework");
    }
    CAIRN_TRY(ConsolidateOptions options, consolidateOptions(arguments, source));
    options.job = "convert";
    options.bundle = true;
    return options;
}

Result<ConsolidateOptions> conversionOptions(const Arguments& arguments, const Opened& source,
                                             const std::string& job) {
    const bool cast = job == "cast";
    if (cast ? !arguments.has("dtype") && !arguments.has("dequantize") : !arguments.has("rename")) {
        return fail(ErrorCode::InvalidArgument,
                    cast ? Sentence("No dtype was specified") : "No rename rules were specified")
            .withHint(cast ? Sentence("Use --dtype") : "Use --rename");
    }
    CAIRN_TRY(ConsolidateOptions options, consolidateOptions(arguments, source));
    options.job = job;
    const bool quantises = cast && hasBlocks(options.dtype); // only weights
    if (!arguments.has("only") && !quantises) {
        options.only.kind = Selection::Kind::All;
    }
    const FormatInfo* format = findFormat(source.checkpoint->format());
    if (!arguments.has("to") && !quantises && format != nullptr && format->layout != nullptr) {
        options.to = std::string(format->id);
    }
    return options;
}

Result<AverageJob> averageJob(const Arguments& arguments, std::size_t first, Session& session) {
    const std::size_t count = arguments.positionals.size() - first;
    CAIRN_TRY(const std::vector<double> weights,
              parseAverageWeights(arguments.text("weights").value_or(""), count));
    AverageJob job;
    std::vector<AverageMember> members;
    Opened last;
    for (std::size_t i = 0; i < count; ++i) {
        CAIRN_TRY(last, openPath(arguments.at(first + i), session.cancel));
        members.push_back({last.checkpoint, weights[i]});
    }
    CAIRN_TRY(job.options, consolidateOptions(arguments, last));
    job.source = last.checkpoint;
    job.options.job = "average";
    job.options.average = std::move(members);
    return job;
}

Result<ExportOptions> exportOptions(const Arguments& arguments, const Opened& source) {
    ExportOptions options;
    options.output = arguments.text("output").value_or("");
    options.only = {Selection::Kind::Glob, arguments.text("tensor").value_or("*"), source.member};
    options.force = arguments.has("force");
    return options;
}

} // namespace cairn::cli
