// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/engine.h"

#include "core/base/elapsed.h"
#include "core/base/visible_text.h"
#include "core/jobs/context/aligned_buffer.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/elements/located_tensors.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/engine/part_share.h"
#include "core/jobs/engine/publish.h"
#include "core/jobs/engine/share_pass.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/engine/verify_pass.h"
#include "core/jobs/engine/write_pass.h"
#include "core/jobs/record/layout_digest.h"
#include "core/model/tensor_reader.h"
#include "core/plan/engine_memory.h"
#include "core/plan/plan_problems.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

/// From a plan to a published output: check, write, make durable, verify, publish.
/// Everything that can be checked in advance is checked before a byte is written: the plan is
/// complete, the output's location is examined again, and every piece of every tensor is located,
/// so that a damaged shard at the end does not cost an hour. The output is read back from the
/// device and compared with the source, which must still consist of the files that were opened.
/// After any failure the destructor of Staging removes the files that were made.
namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

EngineOptions settled(EngineOptions options) {
    if (options.threads == 0) {
        options.threads = engineWorkers();
    }
    const std::size_t bytes =
        std::clamp<std::size_t>(options.chunkBytes, std::size_t{64} << 10U, std::size_t{64} << 20U);
    options.chunkBytes = static_cast<std::size_t>(alignUp(bytes));
    return options;
}

/// Locates every piece: missing and damaged shards are detected here.
Result<void> checkSource(const EngineJob& job, const std::vector<SourceTensor>& tensors,
                         LocatedTensors& located) {
    std::atomic<std::size_t> next{0};
    return runOnThreads(
        job.options.threads, [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
            for (std::size_t i = next++; i < tensors.size() && !stop.load(); i = next++) {
                CAIRN_CHECK(job.context.proceed());
                const Checkpoint& checkpoint = *tensors[i].checkpoint;
                CAIRN_TRY(TensorReader reader,
                          TensorReader::open(checkpoint, checkpoint.tensor(tensors[i].index)));
                located.keep(checkpoint, tensors[i].index, std::move(reader));
            }
            return {};
        });
}

/// The files that were read must still be those that were opened.
Result<void> checkUnchanged(const std::vector<SourceTensor>& tensors) {
    std::set<std::pair<const Checkpoint*, FileIndex>> files;
    for (const SourceTensor& tensor : tensors) {
        for (const Piece& piece : tensor.checkpoint->tensor(tensor.index).pieces) {
            files.emplace(tensor.checkpoint, piece.file);
        }
    }
    for (const auto& [checkpoint, file] : files) {
        CAIRN_TRY(const ByteSourcePtr source, checkpoint->openFile(file));
        CAIRN_CHECK(source->checkUnchanged());
    }
    return {};
}

Result<void> checkPlace(const CopyPlan& plan, std::string_view digest,
                        const EngineOptions& options) {
    PlanFacts facts = placeFacts(*plan.source, plan.output);
    if (facts.freeBytes) { // space that an earlier process reserved for this job is available
        *facts.freeBytes += allocatedBytes(stagedPath(plan.output, digest));
    }
    CopyPlan now;
    now.problems = outputProblems(facts, plan.outputBytes() - plan.sharedBytes());
    CAIRN_CHECK(checkRunnable(now));
    return checkNoManifest(plan, options);
}

/// The output must also not be, or be inside, any other checkpoint that is read.
Result<void> checkOtherSources(const CopyPlan& plan, const std::vector<SourceTensor>& tensors) {
    std::set<const Checkpoint*> others;
    for (const SourceTensor& tensor : tensors) {
        if (tensor.checkpoint != plan.source.get()) {
            others.insert(tensor.checkpoint);
        }
    }
    for (const Checkpoint* other : others) {
        CopyPlan now;
        now.problems = outputProblems(placeFacts(*other, plan.output), 0);
        CAIRN_CHECK(checkRunnable(now));
    }
    return {};
}

/// `hashes` is empty if nothing was read back.
void fillReport(JobReport& report, const CopyPlan& plan, const OutputHashes& hashes) {
    report.output = plan.output;
    report.bytes = plan.outputBytes();
    report.tensors = plan.outputTensors();
    report.castTensors = plan.castTensors();
    report.cast = hashes.cast;
    for (std::size_t i = 0; i < plan.layout.files.size(); ++i) {
        const OutputFile& file = plan.layout.files[i];
        report.files.push_back(
            {file.name, file.size, report.verified ? hexText(hashes.files[i]) : std::string()});
        for (std::size_t t = 0; t < file.tensors.size(); ++t) {
            const TensorSegment& segment = file.tensors[t];
            const auto digest = report.verified ? hashes.tensors[i][t] : ContentDigest();
            report.written.push_back(
                {std::string(segment.name), plan.source->tensor(segment.source).name,
                 std::string(dtypeName(segment.dtype)), formatDims(segment.box.extent), file.name,
                 segment.offset, segment.length,
                 report.verified ? hexText(digest.bytes()) : std::string(), digest.kind});
        }
    }
}

/// The tensors that this process reads while it writes: of a part only its own, so that N parts do
/// not open all shards N times.
std::vector<SourceTensor> tensorsToRead(const EngineJob& job, std::span<const FileParts> toWrite) {
    const JobPart part = job.options.part;
    if (part.whole() || part.isLastStep()) {
        return sourceTensors(job.plan);
    }
    const OutputRuns cut = cutRuns(job.plan, toWrite, part.count, job.options.runBytes);
    const WrittenSegments own = segmentsOf(cut, toWrite, part);
    return sourceTensors(job.plan,
                         [&](std::size_t file, std::size_t segment) { return own[file][segment]; });
}

/// Digests of all files, from what parts have verified and from a last pass over the others.
class VerifiedOutput {
public:
    explicit VerifiedOutput(const EngineJob& job)
        : m_plan(&job.plan), m_isSigned(job.options.signer != nullptr),
          m_known(job.plan.layout.files.size(), false) {
        m_hashes.files.resize(m_known.size());
        m_hashes.tensors.resize(m_known.size());
        m_hashes.sums.resize(m_known.size());
    }

    /// What lacks something that this output records is left, to be verified again. Fails:
    /// ChangedOnDisk if it does not match the plan.
    Result<void> add(const VerifiedFiles& verified) {
        for (const VerifiedFiles::File& each : verified.files) {
            if (each.file >= m_known.size() ||
                each.tensors.size() != m_plan->layout.files[each.file].tensors.size()) {
                return journalMisfit();
            }
        }
        // All or none: what they say of casts is of all together.
        if (!std::ranges::all_of(verified.files,
                                 [&](const auto& each) { return isUsable(each); })) {
            return {};
        }
        for (const VerifiedFiles::File& each : verified.files) {
            m_known[each.file] = true;
            m_hashes.files[each.file] = each.digest;
            m_hashes.tensors[each.file] = each.tensors;
            m_hashes.sums[each.file] = each.sums;
        }
        m_hashes.cast.merge(verified.cast);
        m_hashes.provenBytes += verified.provenBytes;
        return {};
    }
    Result<void> add(const std::vector<VerifiedFiles>& all) {
        for (const VerifiedFiles& each : all) {
            CAIRN_CHECK(add(each));
        }
        return {};
    }
    /// The checksums that go into an index, which a journal may have kept, are those of the files
    /// as they were read back. Fails: ChangedOnDisk.
    Result<void> checkSums(const Checksums& checksums) const {
        for (std::size_t i = 0; i < m_known.size(); ++i) {
            const bool isSummed = m_known[i] && m_plan->layout.files[i].sumsSegments;
            if (isSummed && m_hashes.sums[i] != checksums[i]) {
                return journalMisfit().inFile(m_plan->layout.files[i].name);
            }
        }
        return {};
    }

    [[nodiscard]] const std::vector<bool>& known() const { return m_known; }
    [[nodiscard]] const OutputHashes& hashes() const { return m_hashes; }

private:
    [[nodiscard]] bool isUsable(const VerifiedFiles::File& each) const {
        const bool isSummed = m_plan->layout.files[each.file].sumsSegments;
        const bool isDigested = !m_isSigned || std::ranges::all_of(each.tensors, [](const auto& d) {
            return d.kind == DigestKind::Sha256;
        });
        return !m_known[each.file] && isDigested &&
               (!isSummed || each.sums.size() == each.tensors.size());
    }

    const CopyPlan* m_plan;
    bool m_isSigned;
    std::vector<bool> m_known;
    OutputHashes m_hashes;
};

VerifiedFiles verifiedFiles(const OutputHashes& hashes, const std::vector<bool>& selected) {
    VerifiedFiles verified;
    for (std::size_t i = 0; i < selected.size(); ++i) {
        if (selected[i]) {
            verified.files.push_back({static_cast<std::uint32_t>(i), hashes.files[i],
                                      hashes.tensors[i], hashes.sums[i]});
        }
    }
    verified.cast = hashes.cast;
    verified.provenBytes = hashes.provenBytes;
    return verified;
}

/// Verifies the selected files; if the source changed meanwhile, that is reported instead of a
/// mismatch.
Result<OutputHashes> verifySelected(const EngineJob& job, std::span<const FileParts> parts,
                                    const Checksums& checksums, const Staging& staging,
                                    const std::vector<SourceTensor>& tensors,
                                    const std::vector<bool>& selected) {
    auto hashes = verifyBytes(job, parts, checksums, staging.path(), selected);
    if (!hashes && hashes.error().code == ErrorCode::VerifyMismatch) {
        CAIRN_CHECK(checkUnchanged(tensors));
    }
    return hashes;
}

/// Everything that the passes over an output need.
struct Passes {
    const EngineJob& job;
    std::span<const FileParts> toWrite; ///< without shared ranges
    std::span<const FileParts> complete;
    const std::vector<SourceTensor>& tensors;
    const LocatedTensors& located;
    Staging& staging;
};

/// Writes and verifies what belongs to this part alone.
Result<void> writePart(const Passes& passes, VerifiedOutput& verified) {
    const EngineJob& job = passes.job;
    const JobPart part = job.options.part;
    CAIRN_CHECK(verified.add(passes.staging.journal().content().verified));
    std::vector<bool> own = PartShare(job.plan, part.count).ownedBy(part);
    OutputWriter writer(job, passes.toWrite, passes.staging.files(), &passes.located,
                        verified.known());
    CAIRN_CHECK(writer.restore(passes.staging.journal().content().records));
    CAIRN_CHECK(writer.write(part, passes.staging.journal()));
    CAIRN_CHECK(writer.complete(own));
    job.context.setPhase(JobPhase::Syncing);
    CAIRN_CHECK(passes.staging.closeFiles(job.options.durability));
    for (std::size_t i = 0; i < own.size(); ++i) {
        own[i] = own[i] && !verified.known()[i];
    }
    if (!job.options.verify || std::ranges::count(own, true) == 0) {
        return {};
    }
    job.context.setPhase(JobPhase::Verifying);
    const auto hashes = verifySelected(job, passes.complete, writer.checksums(), passes.staging,
                                       passes.tensors, own);
    if (!hashes) {
        if (hashes.error().code == ErrorCode::VerifyMismatch) { // the next try writes it again
            (void)passes.staging.journal().clear();
        }
        return hashes.error();
    }
    return passes.staging.journal().add(verifiedFiles(*hashes, own));
}

/// Writes the part and makes it durable. Returns the checksums of the files that `verified` does
/// not contain; empty if other parts of the job are unfinished or another part is publishing.
Result<std::optional<Checksums>> writeAll(const Passes& passes, VerifiedOutput& verified) {
    const EngineJob& job = passes.job;
    const Durability durability = job.options.durability;
    if (job.options.part.whole()) {
        OutputWriter writer(job, passes.toWrite, passes.staging.files(), &passes.located);
        CAIRN_CHECK(writer.restore(passes.staging.journal().content().records));
        CAIRN_CHECK(writer.write(job.options.part, passes.staging.journal()));
        CAIRN_TRY(Checksums checksums, writer.finish());
        job.context.setPhase(JobPhase::Syncing);
        CAIRN_CHECK(passes.staging.closeFiles(durability));
        return std::optional(std::move(checksums));
    }
    const bool last = job.options.part.isLastStep();
    if (!last && !passes.staging.journal().content().complete) {
        CAIRN_CHECK(writePart(passes, verified));
    }
    CAIRN_TRY(const auto content, passes.staging.takeOver(durability));
    if (!content) {
        return std::optional<Checksums>();
    }
    verified = VerifiedOutput(job);
    CAIRN_CHECK(verified.add(content->verified));
    OutputWriter writer(job, passes.toWrite, passes.staging.files(), nullptr, verified.known());
    CAIRN_CHECK(writer.restore(content->records));
    CAIRN_CHECK(verified.checkSums(writer.checksums()));
    CAIRN_TRY(Checksums checksums, writer.finish());
    CAIRN_CHECK(passes.staging.closeFiles(durability));
    return std::optional(std::move(checksums));
}

/// The report of a finished part while others are unfinished.
JobReport partReport(const EngineJob& job, JobReport report, Clock::time_point start) {
    report.output = job.plan.output;
    report.published = false;
    report.seconds = report.writeSeconds = secondsSince(start);
    job.context.setPhase(JobPhase::Done);
    job.context.log(
        job.options.part.leavesPublishing
            ? Sentence("This part is complete; the last step publishes the output")
            : Sentence("This part is complete; the part that finishes last publishes the output"));
    return report;
}

/// A file that a part verified must still be there; its digest is in the part's journal.
Result<void> checkSizes(const CopyPlan& plan, const Staging& staging) {
    for (const OutputFile& file : plan.layout.files) {
        std::error_code error;
        const auto path = plan.layout.folder ? staging.path() / file.name : staging.path();
        const std::uintmax_t size = std::filesystem::file_size(path, error);
        if (error || size != file.size) {
            return fail(ErrorCode::VerifyMismatch, "The output has the wrong size")
                .inFile(file.name)
                .butFound(error ? verbatim(error.message()) : sentence("%1 bytes", size))
                .expecting(verbatim(std::to_string(file.size)));
        }
    }
    return {};
}

/// Verifies the written files that no part has verified, and the structure of all.
Result<void> verifyWritten(const Passes& passes, const Checksums& checksums,
                           VerifiedOutput& verified) {
    const EngineJob& job = passes.job;
    std::vector<bool> rest = verified.known();
    rest.flip();
    CAIRN_TRY(const OutputHashes hashes, verifySelected(job, passes.complete, checksums,
                                                        passes.staging, passes.tensors, rest));
    CAIRN_CHECK(verified.add(verifiedFiles(hashes, rest)));
    CAIRN_CHECK(checkSizes(job.plan, passes.staging));
    return verifyStructure(job.plan, passes.staging.path(), job.context);
}

/// See JobReport::measured.
std::optional<MeasuredWork> measuredBy(const EngineJob& job, const JobReport& report,
                                       const Staging& staging) {
    const EngineOptions& options = job.options;
    const std::uint64_t copied = report.bytes - report.sharedBytes;
    const bool measurable = report.verified && options.durability == Durability::Synced &&
                            options.directIo && options.part.whole() && !staging.resumes() &&
                            !job.context.hasWaited() && report.sharedBytes <= copied / 8 &&
                            options.backend->device() == "cpu";
    return measurable ? std::optional(MeasuredWork{workKindOf(job.plan), copied,
                                                   report.writeSeconds + report.verifySeconds})
                      : std::nullopt;
}

Result<void> checkEverything(const EngineJob& job, std::string_view digest,
                             const std::vector<SourceTensor>& tensors, LocatedTensors& located) {
    job.context.setPhase(JobPhase::Checking);
    CAIRN_CHECK(checkRunnable(job.plan));
    CAIRN_CHECK(validate(job.plan));
    CAIRN_CHECK(job.context.proceed());
    CAIRN_CHECK(checkPlace(job.plan, digest, job.options));
    CAIRN_CHECK(checkOtherSources(job.plan, tensors));
    return job.options.part.isLastStep() ? Result<void>() : checkSource(job, tensors, located);
}

} // namespace

Result<JobReport> runPlan(const CopyPlan& plan, FileOps& fileOps, JobContext& context,
                          const EngineOptions& wanted) {
    const Clock::time_point start = Clock::now();
    EngineOptions options = settled(wanted);
    if (plan.source == nullptr) {
        return fail(ErrorCode::Internal, "The plan is empty");
    }
    if (options.backend == nullptr) {
        CAIRN_TRY(options.backend, openBackend(plan.forecast.device));
    }
    const EngineJob job{plan, fileOps, context, options};
    const std::vector<FileParts> toWrite = filesToWrite(plan);
    const std::vector<SourceTensor> tensors = tensorsToRead(job, toWrite);
    context.setTotal(plan.outputBytes());
    const std::string digest = layoutDigest(plan);
    LocatedTensors located(*plan.source);
    CAIRN_CHECK(checkEverything(job, digest, tensors, located));

    context.setPhase(JobPhase::Writing);
    const Clock::time_point writeStart = Clock::now();
    CAIRN_TRY(Staging staging,
              Staging::create(plan, fileOps, context, {options.directIo, options.part, digest}));
    const std::vector<FileParts> parts(plan.layout.files.begin(), plan.layout.files.end());
    JobReport report;
    ShareOutcome shared;
    if (!staging.journal().content().complete && !options.part.isLastStep()) {
        CAIRN_TRY(shared, shareBlocks(job, staging.files()));
    }
    report.sharedBytes = shared.bytes;
    report.shareSeconds = shared.seconds;
    report.directIo = std::ranges::any_of(staging.files(), &StagedFile::direct);
    report.bufferBytes = options.threads * options.chunkBytes * 2;
    const Passes passes{job, toWrite, parts, tensors, located, staging};
    VerifiedOutput verified(job);
    CAIRN_TRY(const auto written, writeAll(passes, verified));
    CAIRN_CHECK(checkUnchanged(tensors));
    if (!written) {
        return partReport(job, std::move(report), start);
    }
    const Checksums& checksums = *written;
    report.writeSeconds = secondsSince(writeStart);

    if (options.verify) {
        context.setPhase(JobPhase::Verifying);
        const Clock::time_point verifyStart = Clock::now();
        CAIRN_CHECK(verifyWritten(passes, checksums, verified));
        CAIRN_CHECK(checkUnchanged(tensors));
        report.verified = true;
        if (report.sharedBytes > 0) {
            context.log(sentence("%1 of %2 shared bytes are verified to be the source's own blocks",
                                 amount(formatBytes(verified.hashes().provenBytes)),
                                 amount(formatBytes(report.sharedBytes))));
        }
        report.verifySeconds = secondsSince(verifyStart);
    }
    fillReport(report, plan, verified.hashes());
    report.measured = measuredBy(job, report, staging);

    CAIRN_CHECK(publishWithManifest(staging, plan, report, context, options));
    report.seconds = secondsSince(start);
    context.setPhase(JobPhase::Done);
    context.log(
        sentence("Wrote %1 to %2", amount(formatBytes(report.bytes)), plan.output.string()));
    return report;
}

} // namespace cairn
