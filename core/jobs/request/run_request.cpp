// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/request/run_request.h"

#include "core/base/other_machine.h"
#include "core/io/path_kind.h"
#include "core/jobs/archive/pack_archive.h"
#include "core/jobs/engine/export_csv.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/prepare/settled_request.h"
#include "core/jobs/prepare/slice_evidence.h"
#include "core/jobs/queue/finished_output.h"
#include "core/jobs/queue/job_recovery.h"
#include "core/jobs/queue/listed_run.h"
#include "core/jobs/record/layout_digest.h"
#include "core/plan/request_words.h"
#include "core/plan/selection.h"
#include "core/runs/scan/open_named.h"
#include "core/signing/model_signer.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

Result<std::shared_ptr<const signing::ModelSigner>> openSigner(const RequestTrust& trust) {
    if (trust.signKey.empty()) {
        if (!trust.certificate.empty()) {
            return fail(ErrorCode::InvalidArgument, "A certificate cannot sign without its key")
                .inField("--sign-cert")
                .withHint("Use --sign KEY");
        }
        return std::shared_ptr<const signing::ModelSigner>();
    }
    CAIRN_TRY(signing::ModelSigner signer,
              signing::ModelSigner::open(trust.signKey.path(), trust.certificate.path()));
    return std::make_shared<const signing::ModelSigner>(std::move(signer));
}

Result<CheckpointPtr> openPart(const Location& place, const std::string& subtree,
                               const CancelToken& cancel) {
    CAIRN_TRY(NamedCheckpoint named, openNamed(place, cancel));
    if (named.newestIsDamaged) {
        return fail(ErrorCode::NotACheckpoint, "The newest checkpoint of the run is damaged")
            .inFile(place.path().string())
            .expecting("the checkpoint to use, by its path")
            .withHint(sentence("The newest complete one is %1", named.path.string()));
    }
    CAIRN_CHECK(refuseUndecidedSlices(named, cancel));
    CAIRN_CHECK(checkPart(*named.checkpoint, subtree, cancel));
    return std::move(named.checkpoint);
}

Result<void> checkPack(const JobRequest& request) {
    if (!request.only.subtree.empty()) {
        return fail(ErrorCode::InvalidArgument, "An archive contains a complete checkpoint")
            .butFound(verbatim(request.only.subtree))
            .withHint("Consolidate the part with --only, then pack the result");
    }
    return {};
}

Result<void> openAdapters(const JobRequest& request, JobInputs& inputs, const CancelToken& cancel) {
    for (const RequestAdapter& adapter : request.adapters) {
        CAIRN_TRY(NamedCheckpoint named, openNamed(adapter.place, cancel));
        inputs.adapters.push_back(
            {std::move(named.checkpoint), adapter.place.path().string(), adapter.scale});
    }
    return {};
}

PackOptions packOptions(const OpenedRequest& opened) {
    return {opened.request.output.path(), opened.request.level, opened.inputs.earlier,
            opened.request.force};
}

bool isCsv(const JobRequest& request) {
    return request.kind == JobKind::Export && request.output.path().extension() == ".csv";
}

Result<TensorIndex> onlyTensor(const Checkpoint& checkpoint, const JobRequest& request) {
    const Selection selection = exportedTensors(request);
    CAIRN_TRY(const auto chosen, selectTensors(checkpoint, selection));
    if (chosen.empty()) {
        return fail(ErrorCode::TensorNotFound, "No matching tensor")
            .butFound(verbatim(selection.glob));
    }
    if (chosen.size() > 1) {
        return fail(ErrorCode::InvalidArgument, "A .csv file contains exactly one tensor")
            .butFound(sentence("%1 matching tensors", chosen.size()));
    }
    return chosen.front();
}

/// Fails as checkOutputIsHere(): only the command itself runs where all its paths are.
Result<void> checkOutput(const JobRequest& request) {
    const std::filesystem::path output = request.output.path();
    const auto isThere = [](const Location& source) { return isOnOtherMachine(source.path()); };
    auto here = checkOutputIsHere(output);
    if (!here && std::ranges::all_of(request.sources, isThere)) {
        return std::move(here).error().withHint(
            "A command whose paths are all on one host runs there: `cairn-cli consolidate host:/in "
            "-o host:/out`");
    }
    return here;
}

/// Finishes a job of this plan that was killed after its output got its name.
Result<std::optional<JobReport>> finishKilled(const JobRequest& request, const std::string& digest,
                                              const RunOptions& options, FileOps& fileOps,
                                              JobContext& context) {
    const std::filesystem::path output = request.output.path();
    const bool isDigest = digest.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (digest.empty() || !isDigest || output.filename().empty()) { // it becomes a name
        return std::optional<JobReport>();
    }
    const StartedJob job =
        startedJob(output, digest, requestWords(absoluteRequest(request)), request.part);
    return finishPublished(fileOps, job, context, options.registry);
}

/// The report of an earlier run of this job, if it published its output: killed before it had
/// finished, which is done now, or complete. `layout`: the digest of its plan, if that is known.
Result<std::optional<JobReport>> publishedBefore(const JobRequest& request,
                                                 const std::string& layout,
                                                 const RunOptions& options, FileOps& fileOps,
                                                 JobContext& context) {
    CAIRN_TRY(auto done, finishKilled(request, layout, options, fileOps, context));
    return done ? std::move(done) : finishedOutput(request.output.path(), options.digest);
}

ListedOptions listedOptions(const OpenedRequest& opened, const RunOptions& options) {
    const JobRequest& request = opened.request;
    ListedOptions listed{requestWords(absoluteRequest(request)),
                         options.digest,
                         {},
                         options.registry,
                         options.rates};
    listed.engine.part = request.part;
    listed.engine.signer = opened.signer;
    listed.engine.provenance = request.trust.provenance;
    listed.engine.bom = request.trust.bom;
    return listed;
}

/// What was not known of the values before they were written is known now.
void noteValues(CopyPlan& plan, const JobReport& report) {
    for (ChecklistItem& item : plan.checklist) {
        if (item.id == CheckId::Values && plan.refusesBadValues && report.verified) {
            item = {CheckId::Values, true, "The weights are finite, and not all zero"};
        } else if (item.id == CheckId::Values) {
            item.detail = "Not checked: NaN, infinities and zeros are written as they are";
        }
    }
}

Result<FinishedJob> runOpened(const OpenedRequest& opened, const RunOptions& options,
                              FileOps& fileOps, JobContext& context) {
    const JobRequest& request = opened.request;
    FinishedJob outcome;
    if (isCsv(request)) {
        CAIRN_TRY(const TensorIndex tensor, onlyTensor(*opened.inputs.source, request));
        CAIRN_TRY(outcome.report, exportCsv(*opened.inputs.source, tensor, request.output.path(),
                                            fileOps, context));
        return outcome;
    }
    const ListedOptions listed = listedOptions(opened, options);
    if (request.kind == JobKind::Pack) {
        CAIRN_TRY(outcome.report, runListedPack(opened.inputs.source, packOptions(opened), listed,
                                                fileOps, context));
        return outcome;
    }
    CAIRN_TRY(outcome.plan, prepareJob(opened.inputs, request, context.token(), options.rates));
    auto report = runListed(*outcome.plan, listed, fileOps, context);
    if (!report && report.error().code == ErrorCode::OutputExists) {
        CAIRN_TRY(auto done,
                  publishedBefore(request, layoutDigest(*outcome.plan), options, fileOps, context));
        if (done) {
            return FinishedJob{std::move(*done), std::nullopt};
        }
    }
    CAIRN_TRY(outcome.report, std::move(report));
    noteValues(*outcome.plan, outcome.report);
    return outcome;
}

} // namespace

Result<OpenedRequest> openRequest(JobRequest request, const CancelToken& cancel,
                                  const CheckpointPtr& shown) {
    OpenedRequest opened{std::move(request), {}, nullptr};
    const JobRequest& wanted = opened.request;
    CAIRN_TRY(opened.signer, openSigner(wanted.trust));
    if (wanted.sources.empty()) {
        return fail(ErrorCode::InvalidArgument, "No checkpoint was specified");
    }
    const bool averages = wanted.kind == JobKind::Average;
    CAIRN_TRY(const std::vector<double> weights, memberWeights(wanted));
    for (std::size_t i = 0; i < wanted.sources.size(); ++i) {
        CheckpointPtr& source = opened.inputs.source;
        source = shown != nullptr && shown->path() == wanted.sources[i].path() ? shown : nullptr;
        if (source == nullptr) {
            CAIRN_TRY(source, openPart(wanted.sources[i], wanted.only.subtree, cancel));
        }
        if (averages) {
            opened.inputs.average.push_back({source, weights[i]});
        }
    }
    CAIRN_CHECK(openAdapters(wanted, opened.inputs, cancel));
    if (wanted.kind == JobKind::Pack) {
        CAIRN_CHECK(checkPack(wanted));
        if (!wanted.earlier.empty()) {
            CAIRN_TRY(opened.inputs.earlier, openPart(wanted.earlier, {}, cancel));
        }
    }
    return opened;
}

Result<PlannedJob> planRequest(const OpenedRequest& opened, const CancelToken& cancel,
                               const DiskRates& rates) {
    const JobInputs& inputs = opened.inputs;
    PlannedJob planned;
    if (opened.request.kind == JobKind::Pack) {
        CAIRN_TRY(planned.plan, planPack(inputs.source, packOptions(opened), cancel, rates));
    } else {
        CAIRN_TRY(planned.plan, prepareJob(inputs, opened.request, cancel, rates));
    }
    planned.digest = layoutDigest(planned.plan);
    return planned;
}

Result<FinishedJob> runRequest(const JobRequest& request, const RunOptions& options,
                               FileOps& fileOps, JobContext& context) {
    context.setPhase(JobPhase::Checking);
    CAIRN_CHECK(checkOutput(request)); // before a host is asked for sources
    CAIRN_TRY(auto done, publishedBefore(request, options.digest, options, fileOps, context));
    if (done) {
        return FinishedJob{std::move(*done), std::nullopt};
    }
    CAIRN_TRY(const OpenedRequest opened, openRequest(request, context.token()));
    return runOpened(opened, options, fileOps, context);
}

} // namespace cairn
