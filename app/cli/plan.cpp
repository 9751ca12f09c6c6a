// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/parse.h"
#include "app/cli/plan_command.h"
#include "app/cli/reshard.h"
#include "app/cli/verb.h"
#include "core/jobs/prepare/prepare.h"

namespace cairn::cli::verb_plan {

extern const Verb kVerb;
namespace {

constexpr std::string_view kPack = "pack";

Result<CopyPlan> makePlan(const Arguments& arguments, Session& session) {
    const std::string& job = arguments.at(0);
    if (job == "average") {
        CAIRN_TRY(const AverageJob average, averageJob(arguments, 1, session));
        return prepareConsolidate(average.source, average.options, session.cancel);
    }
    if (arguments.positionals.size() > 2) {
        return fail(ErrorCode::InvalidArgument, "This job requires exactly one checkpoint")
            .butFound(verbatim(arguments.at(2)));
    }
    const bool transforms = job == "cast" || job == "rename";
    if (job == kPack) {
        CAIRN_TRY(const Opened packed, openPath(arguments.at(1), session.cancel));
        CAIRN_TRY(const PackOptions options, packOptions(arguments, packed, session));
        return planPack(packed.checkpoint, options, session.cancel);
    }
    const bool known = job == "consolidate" || job == "fold" || job == "convert" ||
                       job == "export" || job == "reshard" || transforms;
    if (!known) {
        return fail(ErrorCode::InvalidArgument, "No such job")
            .butFound(verbatim(job))
            .expecting(
                "consolidate, fold, convert, reshard, export, cast, rename, average or pack");
    }
    CAIRN_TRY(const Opened source, openPath(arguments.at(1), session.cancel));
    if (transforms) {
        CAIRN_TRY(const ConsolidateOptions options, conversionOptions(arguments, source, job));
        return prepareConsolidate(source.checkpoint, options, session.cancel);
    }
    if (job == "consolidate") {
        CAIRN_TRY(const ConsolidateOptions options, consolidateOptions(arguments, source));
        return prepareConsolidate(source.checkpoint, options, session.cancel);
    }
    if (job == "fold") {
        CAIRN_TRY(const ConsolidateOptions options, foldOptions(arguments, source));
        return prepareConsolidate(source.checkpoint, options, session.cancel);
    }
    if (job == "convert") {
        CAIRN_TRY(const ConsolidateOptions options, convertOptions(arguments, source));
        return prepareConsolidate(source.checkpoint, options, session.cancel);
    }
    if (job == "reshard") {
        CAIRN_TRY(const ConsolidateOptions options, reshardOptions(arguments, source));
        return prepareConsolidate(source.checkpoint, options, session.cancel);
    }
    CAIRN_TRY(const ExportOptions options, exportOptions(arguments, source));
    return prepareExport(source.checkpoint, options, session.cancel);
}

Result<int> run(const Arguments& arguments, Session& session) {
    if (!arguments.has("output")) {
        return fail(ErrorCode::InvalidArgument, "No output was specified").withHint("Use -o OUT");
    }
    CAIRN_CHECK(engineOptions(arguments)); // an unsuitable key is a problem of the plan
    CAIRN_TRY(const CopyPlan plan, makePlan(arguments, session));
    std::size_t parts = 1;
    if (const auto text = arguments.text("parts")) {
        CAIRN_TRY(parts, partCount(*text));
        std::erase_if(session.command,
                      [](const std::string& word) { return word.starts_with("--parts="); });
    }
    std::optional<PrecisionPreview> precision;
    if (plan.precision) {
        CAIRN_TRY(precision, previewPrecision(plan, session.cancel));
    }
    printPlan(plan, session, parts, precision ? &*precision : nullptr);
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>({
    {"JOB", "consolidate, fold, convert, reshard, export, cast, rename, average or pack"},
    {"SRC", "A checkpoint, or a part of it: PATH#subtree; several for average", Words::OneOrMore},
});
constexpr auto kOptions = std::to_array<Option>(
    {kOutputOption,       kToOption,
     kOnlyOption,         kStripOption,
     kDtypeOption,        kKeepFp32Option,
     kCastAllOption,      kDequantizeOption,
     kRanksOption,        kDimOption,
     kGridOption,         kPerLayerOption,
     kRenameOption,       kWeightsOption,
     kShardOption,        kBundleOption,
     kNamesOption,        kFamilyOption,
     kLikeOption,         kAdapterOption,
     kRoundChangesOption, kRequireOption,
     kDeviceOption,       kSignOption,
     kSignCertOption,     kProvenanceOption,
     kBomOption,          kForceOption,
     kPartsOption,        kLevelOption,
     kDeltaOption,        {"-t,--tensor", "GLOB", "For export: full names of tensors"}});

/// The arguments of "plan" for the command of a job.
Result<Arguments> argumentsOf(const std::vector<std::string>& command, Session& session) {
    std::vector<std::string> words{"cairn-cli", "plan"};
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    Parsed parsed = parseArguments(static_cast<int>(argv.size()), argv.data(), session);
    if (parsed.error) {
        return *parsed.error;
    }
    if (parsed.verb != &kVerb || !parsed.arguments.has("output")) {
        return fail(ErrorCode::InvalidArgument, "Not the command of a job")
            .butFound(verbatim(command.empty() ? std::string() : command.front()));
    }
    return std::move(parsed.arguments);
}

/// With what the command wants written about the output.
Result<ListedOptions> withEngineOptions(ListedOptions options) {
    Session session;
    CAIRN_TRY(const Arguments arguments, argumentsOf(options.command, session));
    CAIRN_TRY(const EngineOptions engine, engineOptions(arguments));
    options.engine.signer = engine.signer;
    options.engine.provenance = engine.provenance;
    options.engine.bom = engine.bom;
    return options;
}

} // namespace

const Verb kVerb{"plan",
                 "Forecast a job: bytes, memory, time, problems; nothing is written",
                 kPositionals,
                 kOptions,
                 {"cairn-cli plan consolidate step-400 -o model.safetensors",
                  "cairn-cli plan consolidate step-300 -o out.pt --to torch --json",
                  "cairn-cli plan export step-400 --tensor lm_head.weight -o lm_head.npy"},
                 run};

} // namespace cairn::cli::verb_plan

namespace cairn::cli {

Result<CopyPlan> planOfCommand(const std::vector<std::string>& command, const CancelToken& cancel) {
    Session session;
    session.cancel = cancel;
    CAIRN_TRY(const Arguments arguments, verb_plan::argumentsOf(command, session));
    if (command.front() == verb_plan::kPack) {
        return fail(ErrorCode::Unsupported, "The plan of packing cannot be executed as a copy");
    }
    return verb_plan::makePlan(arguments, session);
}

Result<JobReport> runCommand(const ListedOptions& options, FileOps& fileOps, JobContext& context) {
    context.setPhase(JobPhase::Checking);
    if (options.command.empty() || options.command.front() != verb_plan::kPack) {
        CAIRN_TRY(const CopyPlan plan, planOfCommand(options.command, context.token()));
        CAIRN_TRY(const ListedOptions complete, verb_plan::withEngineOptions(options));
        return runListed(plan, complete, fileOps, context);
    }
    Session session;
    session.cancel = context.token();
    CAIRN_TRY(const Arguments arguments, verb_plan::argumentsOf(options.command, session));
    CAIRN_TRY(const Opened source, openPath(arguments.at(1), session.cancel));
    CAIRN_TRY(const PackOptions wanted, packOptions(arguments, source, session));
    return runListedPack(source.checkpoint, wanted, options, fileOps, context);
}

} // namespace cairn::cli
