// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify/verify_recomputed.h"

#include "core/base/counted.h"
#include "core/formats/format.h"
#include "core/io/hash.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/elements/expected_elements.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/verify/recorded_inputs.h"
#include "core/model/precision.h"
#include "core/model/string_elements.h"
#include "core/plan/engine_memory.h"
#include "core/plan/request_words.h"
#include "core/plan/trainers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr std::size_t kRecomputedChunk = std::size_t{4} << 20U;

/// The recorded request, which is settled; nothing if there is an option whose value is not
/// recorded completely.
std::optional<JobRequest> recordedRequest(const Manifest& manifest) {
    JobRequest request;
    request.kind = jobKindOf(manifest.job).value_or(JobKind::Consolidate);
    const bool isWhole = request.kind != JobKind::Export && request.kind != JobKind::Pack;
    if (!isWhole || manifest.options.empty() ||
        !std::ranges::all_of(manifest.options, [&](const auto& option) {
            return setRecorded(request, option.first, option.second);
        })) {
        return std::nullopt;
    }
    return request;
}

/// Opens what the manifest names, and adds it to the request.
Result<JobInputs> findInputs(const CheckpointPtr& source, const Manifest& manifest,
                             RecordedInputs& recorded, JobRequest& request) {
    JobInputs inputs(source);
    for (const RecordedInput& each : manifest.adapters) {
        CAIRN_TRY(CheckpointPtr adapter, recorded.find(each, "adapter"));
        const std::string path = adapter->path().string();
        request.adapters.push_back({path, each.number});
        inputs.adapters.push_back({std::move(adapter), path, each.number});
    }
    for (const RecordedInput& each : manifest.averaged) {
        const bool isLast = &each == &manifest.averaged.back();
        CAIRN_TRY(inputs.source, recorded.find(each, "member of the average", isLast));
        inputs.average.push_back({inputs.source, each.number});
    }
    if (!manifest.averaged.empty() && !recorded.usedSource()) {
        return fail(ErrorCode::InvalidArgument, "The source is none of the averaged checkpoints")
            .inFile(source->path().string())
            .expecting(verbatim(manifest.averaged.back().path));
    }
    if (const auto like = manifest.options.find("like"); like != manifest.options.end()) {
        const Trainer* trainer = findTrainer(request.trainer);
        const bool isCheckpoint = trainer != nullptr && trainer->keepsObjects;
        CAIRN_TRY(request.like, isCheckpoint
                                    ? recorded.checkpoint(like->second, "checkpoint of --like")
                                    : recorded.folder(like->second, "folder of --like"));
    }
    return inputs;
}

/// Small files of the bundle that the job would write otherwise. The card of the model tells of
/// places, and how an output is divided is not recorded.
void compareSidecars(const CopyPlan& plan, const Manifest& manifest, VerifyResult& result) {
    for (const OutputFile& file : plan.layout.files) {
        const auto written = std::ranges::find(manifest.files, file.name, &WrittenFile::path);
        // The slots of an index are filled only when its tensors are written.
        const bool isSmall = file.tensors.empty() && file.literals.size() == 1 &&
                             file.indexSlots.empty() && file.blockSlots.empty();
        if (!isSmall || file.name == "README.md" || written == manifest.files.end()) {
            continue;
        }
        Sha256 hash;
        hash.add(file.bytesOf(file.literals.front()));
        if (hexText(hash.finish()) != written->sha256) {
            result.mismatches.push_back(
                {"file", file.name, "The job would write other bytes with this source"});
        }
    }
}

/// One tensor of the output.
struct Row {
    const TensorSegment* segment = nullptr;
    TensorIndex found; ///< in the output
};

/// Tensors of strings, whose elements the job writes as literals: compared with those of the
/// source, or named as not compared where the job changes elements or names. Returns their indices
/// in the output.
Result<std::set<TensorIndex>> compareStrings(const CopyPlan& plan, const JobRequest& request,
                                             const Checkpoint& output, VerifyResult& result) {
    const FormatInfo* format = findFormat(plan.format);
    const auto isChanged = [&](std::string_view name) {
        return !request.rename.empty() || (format != nullptr && name == format->writes.objectGraph);
    };
    std::set<TensorIndex> found;
    for (const std::string& name : plan.layout.stringTensors) {
        const auto index = output.find(name);
        if (!index) {
            result.mismatches.push_back({"missing", name, "The tensor is not in the output"});
            continue;
        }
        found.insert(*index);
        const TensorEntry& right = output.tensor(*index);
        const auto same = plan.source->find(name);
        if (!same || !hasStrings(plan.source->tensor(*same).dtype) || !hasStrings(right.dtype)) {
            result.notCompared.push_back(sentence("the tensor of strings %1", name));
            continue;
        }
        CAIRN_TRY(const auto expected,
                  readStringBytes(*plan.source, plan.source->tensor(*same), kMaxStringMemory));
        const auto read = readStringBytes(output, right, kMaxStringMemory);
        if (!read) {
            result.mismatches.push_back({"tensor", name, verbatim(describe(read.error()))});
        } else if (*read == expected) {
            result.compared.push_back(name);
        } else if (isChanged(name)) {
            result.notCompared.push_back(sentence("the tensor of strings %1", name));
        } else {
            result.mismatches.push_back({"tensor", name, "The strings are different"});
        }
    }
    return found;
}

/// The first difference between a segment and the tensor that was found for it.
Result<std::optional<Sentence>> difference(const CopyPlan& plan, const Checkpoint& output,
                                           const Row& row, JobContext& context) {
    const TensorSegment& segment = *row.segment;
    const TensorEntry& entry = output.tensor(row.found);
    const bool isChunk = entry.shape == plan.source->tensor(segment.source).shape;
    const Box box = isChunk ? segment.box : Box::whole(segment.box.extent);
    if (entry.dtype != segment.dtype || (!isChunk && entry.shape != segment.box.extent)) {
        return std::optional(sentence("%1 %2 instead of %3 %4", dtypeName(entry.dtype),
                                      formatDims(entry.shape), dtypeName(segment.dtype),
                                      formatDims(segment.box.extent)));
    }
    CAIRN_TRY(ExpectedElements expected, ExpectedElements::open(plan, segment));
    const auto reader = TensorReader::open(output, entry);
    if (!reader) {
        return std::optional(verbatim(describe(reader.error())));
    }
    TensorReader::Scratch scratch;
    TensorReader::Scratch other;
    CastTally tally;
    std::vector<std::byte> a;
    std::vector<std::byte> b;
    const std::uint64_t element = std::max<std::uint64_t>(1, expected.elementBytes());
    const std::uint64_t step = std::max<std::uint64_t>(1, kRecomputedChunk / element) * element;
    for (std::uint64_t at = 0; at < segment.length; at += step) {
        CAIRN_CHECK(context.proceed());
        const auto size = static_cast<std::size_t>(std::min(step, segment.length - at));
        a.resize(size);
        b.resize(size);
        CAIRN_CHECK(expected.read(at, a, 0, tally, scratch));
        if (const auto read = reader->readBytes(box, at, b, other); !read) {
            return std::optional(verbatim(describe(read.error())));
        }
        if (a != b) {
            const auto place =
                static_cast<std::uint64_t>(std::ranges::mismatch(a, b).in1 - a.begin());
            return std::optional(
                sentence("The elements differ from index %1 on", (at + place) / element));
        }
        context.addVerified(size);
    }
    return std::optional<Sentence>();
}

/// Why the recorded job would not be done again; the output's own place is no reason.
const PlanProblem* obstacle(const CopyPlan& plan) {
    const auto found = std::ranges::find_if(plan.problems, [&](const PlanProblem& problem) {
        return problem.severity == Severity::Error && problem.where.file != plan.output.string();
    });
    return found == plan.problems.end() ? nullptr : &*found;
}

/// What was compared.
std::string basisOf(const CopyPlan& plan, const JobRequest& request, const JobInputs& inputs) {
    std::string basis = "computed from the source again, as the manifest records the job";
    if (!inputs.adapters.empty()) {
        basis += ", with " + counted(inputs.adapters.size(), "adapter");
    } else if (!inputs.average.empty()) {
        basis += ", the mean of " + counted(inputs.average.size(), "checkpoint");
    }
    if (plan.precision) {
        basis += ": " + request.dtype + ", every scale and code is that of the source's elements";
    } else if (request.dtype != "keep") {
        basis += ": --dtype " + request.dtype;
    }
    return basis;
}

} // namespace

Result<std::optional<VerifyResult>> verifyRecomputed(const CheckpointPtr& source,
                                                     const Checkpoint& output,
                                                     const Manifest& manifest, VerifyScope scope,
                                                     std::span<const std::filesystem::path> inputs,
                                                     JobContext& context) {
    auto request = recordedRequest(manifest);
    if (!request) {
        return std::nullopt;
    }
    request->output = output.path();
    VerifyResult result;
    RecordedInputs recorded(source, output.path(), inputs, context);
    auto base = findInputs(source, manifest, recorded, *request);
    if (!base && base.error().code == ErrorCode::ChangedOnDisk) {
        result.mismatches.push_back(
            {"source", base.error().where.file, verbatim(describe(base.error()))});
        return std::optional(std::move(result));
    }
    CAIRN_CHECK(base);
    const auto planned = prepareSettled(*base, *request, context.token());
    CAIRN_CHECK(context.proceed());
    const PlanProblem* problem = planned ? obstacle(*planned) : nullptr;
    if (!planned || problem != nullptr) {
        result.mismatches.push_back(
            {"source", source->path().string(),
             sentence("The recorded job cannot be done with this source: %1",
                      planned ? problem->message : verbatim(describe(planned.error())))});
        return std::optional(std::move(result));
    }
    const CopyPlan& plan = *planned;
    result.basis = basisOf(plan, *request, *base);
    compareSidecars(plan, manifest, result);
    std::vector<Row> rows;
    CAIRN_TRY(std::set<TensorIndex> found, compareStrings(plan, *request, output, result));
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const auto index = output.find(segment.name);
            if (!index) {
                result.mismatches.push_back(
                    {"missing", std::string(segment.name), "The tensor is not in the output"});
                continue;
            }
            rows.push_back({&segment, *index});
            found.insert(*index);
        }
    }
    for (std::size_t i = 0; i < output.tensors().size(); ++i) {
        const TensorEntry& entry = output.tensors()[i];
        if (!found.contains(TensorIndex(i)) && !entry.aliasOf) {
            result.mismatches.push_back(
                {"extra", entry.name, "The job does not write this tensor of the source"});
        }
    }
    for (const OmittedTensors& left :
         scope == VerifyScope::Everything ? plan.omitted : std::vector<OmittedTensors>()) {
        result.mismatches.push_back({"missing", std::string(roleName(left.role)),
                                     sentence("Not in the output: %1", omittedText(left))});
    }
    std::vector<std::optional<Sentence>> differences(rows.size());
    std::atomic<std::size_t> next{0};
    CAIRN_CHECK(
        runOnThreads(std::min(engineWorkers(), std::max<std::size_t>(rows.size(), 1)),
                     [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
                         for (std::size_t i = next++; i < rows.size() && !stop.load(); i = next++) {
                             CAIRN_TRY(differences[i], difference(plan, output, rows[i], context));
                         }
                         return {};
                     }));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string& name = output.tensor(rows[i].found).name;
        if (differences[i]) {
            result.mismatches.push_back({"tensor", name, *differences[i]});
        }
        result.compared.push_back(name);
        result.bytes += rows[i].segment->length;
    }
    result.verified = result.mismatches.empty() && !result.compared.empty();
    result.mismatches.resize(std::min(result.mismatches.size(), VerifyResult::kMaxMismatches));
    return std::optional(std::move(result));
}

} // namespace cairn
