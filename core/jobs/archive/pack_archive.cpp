// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/archive/pack_archive.h"

#include "core/base/elapsed.h"
#include "core/base/visible_text.h"
#include "core/io/path_kind.h"
#include "core/jobs/archive/archive_rows.h"
#include "core/jobs/archive/archive_verify.h"
#include "core/jobs/archive/archive_writer.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/engine/publish.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/record/layout_digest.h"
#include "core/model/saved_values.h"
#include "core/plan/plan_problems.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

Result<void> checkPlace(const CopyPlan& plan, const Checkpoint& read) {
    CopyPlan now;
    now.problems = outputProblems(placeFacts(read, plan.output), 0);
    CAIRN_CHECK(checkRunnable(now));
    return checkNoManifest(plan);
}

/// Checks that the source files are unchanged since they were opened.
Result<void> checkFiles(const Checkpoint& checkpoint) {
    for (std::size_t i = 0; i < checkpoint.files().size(); ++i) {
        const CheckpointFile& file = checkpoint.files()[i];
        if (file.missing || file.source != nullptr) {
            continue;
        }
        CAIRN_TRY(const ByteSourcePtr source, checkpoint.openFile(FileIndex(i)));
        CAIRN_CHECK(source->checkUnchanged());
    }
    return {};
}

Result<void> checkSources(const Checkpoint& source, const PackOptions& wanted) {
    CAIRN_CHECK(checkFiles(source));
    return wanted.earlier != nullptr ? checkFiles(*wanted.earlier) : Result<void>();
}

/// Sets the location of each row's chunks, for the manifest.
void placeSegments(CopyPlan& plan, const archive::Index& index, std::uint64_t bytes) {
    OutputFile& file = plan.layout.files.front();
    file.size = bytes;
    std::uint64_t at = archive::kHeadBytes;
    std::size_t chunk = 0;
    for (std::size_t i = 0; i < index.tensors.size(); ++i) {
        const archive::TensorRow& row = index.tensors[i];
        TensorSegment& segment = file.tensors[i];
        segment.offset = at;
        segment.length = 0;
        const std::uint64_t count = archive::chunksOf(row.bytes, index.chunkBytes);
        for (std::uint64_t c = 0; c < count; ++c) {
            segment.length += index.chunks[chunk++].stored;
        }
        at += segment.length;
        if (row.kind == archive::TensorKind::Alias) {
            segment.offset = file.tensors[row.aliasOf].offset;
            segment.length = file.tensors[row.aliasOf].length;
        }
    }
}

void fillReport(JobReport& report, const CopyPlan& plan, const ArchiveHashes& hashes) {
    const OutputFile& file = plan.layout.files.front();
    report.output = plan.output;
    report.bytes = file.size;
    report.tensors = file.tensors.size();
    report.files.push_back({file.name, file.size, hashes.file});
    for (std::size_t i = 0; i < file.tensors.size(); ++i) {
        const TensorSegment& segment = file.tensors[i];
        const std::string name(segment.name);
        report.written.push_back({name, name, std::string(dtypeName(segment.dtype)),
                                  formatDims(segment.box.extent), file.name, segment.offset,
                                  segment.length,
                                  hashes.tensors.empty() ? std::string() : hashes.tensors[i]});
    }
}

std::uint64_t elementBytes(const archive::Index& index) {
    std::uint64_t sum = 0;
    for (const archive::TensorRow& row : index.tensors) {
        sum += row.bytes;
    }
    return sum;
}

std::size_t packers(const EngineOptions& options) {
    return options.threads != 0
               ? options.threads
               : std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 2, 8);
}

constexpr std::uint64_t kPackerMemory = std::uint64_t{16} << 20U; ///< for one thread

/// Measured rates are only kept for the default level without deltas; others differ widely.
bool isPlainPack(const PackOptions& wanted) {
    return wanted.level == PackOptions().level && wanted.earlier == nullptr;
}

/// See JobReport::measured.
std::optional<MeasuredWork> packMeasured(const JobReport& report, const PackOptions& wanted,
                                         std::uint64_t elements, const JobContext& context,
                                         const EngineOptions& options) {
    const bool measurable = report.verified && options.durability == Durability::Synced &&
                            isPlainPack(wanted) && !context.hasWaited();
    return measurable ? std::optional(MeasuredWork{WorkKind::Pack, elements,
                                                   report.writeSeconds + report.verifySeconds})
                      : std::nullopt;
}

bool isTensor(const UnusableValue& value) {
    return !value.error.where.tensor.empty();
}

} // namespace

Result<CopyPlan> planPack(const CheckpointPtr& source, const PackOptions& wanted,
                          const CancelToken& cancel, const DiskRates& rates) {
    if (wanted.output.filename().empty()) {
        return fail(ErrorCode::InvalidArgument, "The archive needs a file name");
    }
    CAIRN_CHECK(checkOutputIsHere(wanted.output));
    CopyPlan plan = archivePlan(source, wanted);
    std::vector<TensorIndex> all;
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        all.emplace_back(i);
    }
    plan.problems = sourceProblems(*source, all, {Selection::Kind::All, {}, {}}, Forcible::Warns);
    CAIRN_TRY(const SavedValues saved, savedValues(*source, cancel));
    const Forcible forcible = wanted.force ? Forcible::Warns : Forcible::Stops;
    std::ranges::move(valueProblems(saved, forcible), std::back_inserter(plan.problems));
    PlanFacts damaged;
    std::ranges::copy_if(saved.unusable, std::back_inserter(damaged.damagedTensors), isTensor);
    // An archive contains every tensor: none can be left out.
    std::ranges::move(leaveOutDamaged(*source, damaged, Forcible::Stops, all),
                      std::back_inserter(plan.problems));
    PackedSize size;
    if (plan.runnable()) {
        CAIRN_TRY(size, packedSize(*source, wanted, cancel));
    }
    Forecast& cost = plan.forecast;
    cost.files = 1;
    cost.bytes = size.bytes;
    cost.memoryBytes = packers({}) * kPackerMemory;
    plan.rates = rates.of(fileSystemsOf(*source, wanted.output));
    if (!isPlainPack(wanted)) {
        plan.rates.of(WorkKind::Pack) = 0;
    }
    cost.rate = forecastRate(WorkKind::Pack, plan.rates);
    cost.seconds = static_cast<double>(size.elements) / cost.rate.bytesPerSecond;
    plan.decisions.push_back(
        {DecisionId::ArchiveSize,
         sentence("about %1 for %2", amount(formatBytes(size.bytes)),
                  amount(formatBytes(size.elements))),
         "Samples of every tensor were packed; the rest is assumed to be similar"});
    if (wanted.earlier != nullptr) {
        plan.decisions.push_back(
            {DecisionId::ArchiveDelta, sentence("%1 of %2 tensors", size.deltas, all.size()),
             sentence("Of these, only the difference to %1 is stored; the others take less space "
                      "without a delta, or are not in it",
                      wanted.earlier->path().string())});
    }
    for (PlanProblem& problem : outputProblems(placeFacts(*source, wanted.output), size.bytes)) {
        problem.where.file = wanted.output.string();
        plan.problems.push_back(std::move(problem));
    }
    return plan;
}

Result<JobReport> packArchive(const CheckpointPtr& source, const PackOptions& wanted,
                              FileOps& fileOps, JobContext& context, const EngineOptions& options) {
    const Clock::time_point start = Clock::now();
    context.setPhase(JobPhase::Checking);
    if (wanted.output.filename().empty()) {
        return fail(ErrorCode::InvalidArgument, "The archive needs a file name");
    }
    CopyPlan plan = archivePlan(source, wanted);
    CAIRN_CHECK(checkPlace(plan, *source));
    if (wanted.earlier != nullptr) {
        CAIRN_CHECK(checkPlace(plan, *wanted.earlier));
    }
    CAIRN_TRY(const SavedValues saved, savedValues(*source, context.token()));
    const auto tensor = std::ranges::find_if(saved.unusable, isTensor);
    const bool hasTensor = tensor != saved.unusable.end();
    if (hasTensor || (!saved.complete() && !wanted.force)) {
        const UnusableValue& first = hasTensor ? *tensor : saved.unusable.front();
        Error error = first.error;
        error.where.field = first.path;
        return std::move(error).withHint(
            hasTensor ? Sentence("Use another copy of the checkpoint")
                      : "Use another copy of the checkpoint, or --force leaves the item out");
    }
    for (const PlanProblem& problem :
         valueProblems(saved, wanted.force ? Forcible::Warns : Forcible::Stops)) {
        if (problem.severity == Severity::Error) {
            return fail(problem.code, problem.message)
                .inFile(source->path().string())
                .withHint(problem.fix);
        }
    }
    CAIRN_TRY(archive::Index index, archiveRows(*source, wanted, context));
    context.setTotal(elementBytes(index));
    const std::size_t threads = packers(options);

    context.setPhase(JobPhase::Writing);
    CAIRN_TRY(Staging staging,
              Staging::create(plan, fileOps, context,
                              {.direct = false, .part = {}, .digest = layoutDigest(plan)}));
    ArchiveWriter writer(*source, wanted, index, staging.files().front().handle, fileOps, context);
    CAIRN_CHECK(writer.write(threads));
    context.setPhase(JobPhase::Syncing);
    CAIRN_CHECK(staging.closeFiles(options.durability));
    CAIRN_CHECK(checkSources(*source, wanted));
    JobReport report;
    report.writeSeconds = secondsSince(start);
    placeSegments(plan, index, writer.bytes());

    ArchiveHashes hashes;
    if (options.verify) {
        context.setPhase(JobPhase::Verifying);
        auto verified = verifyArchive(*source, staging.path(), context, threads);
        CAIRN_CHECK(checkSources(
            *source, wanted)); // changed files are a better explanation for a difference
        CAIRN_TRY(hashes, std::move(verified));
        report.verified = true;
        report.verifySeconds = secondsSince(start) - report.writeSeconds;
    }
    fillReport(report, plan, hashes);
    report.measured = packMeasured(report, wanted, elementBytes(index), context, options);

    CAIRN_CHECK(publishWithManifest(staging, plan, report, context, options));
    report.seconds = secondsSince(start);
    context.setPhase(JobPhase::Done);
    return report;
}

} // namespace cairn
