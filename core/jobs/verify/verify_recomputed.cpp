// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify/verify_recomputed.h"

#include "core/base/counted.h"
#include "core/io/hash.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/elements/expected_elements.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/verify/recorded_inputs.h"
#include "core/model/precision.h"
#include "core/plan/engine_memory.h"

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

/// The recorded options; nothing if there is one whose value is not recorded completely.
std::optional<ConsolidateOptions> recordedOptions(const Manifest& manifest) {
    static constexpr auto kKnown = std::to_array<std::string_view>(
        {"to", "only", "subtree", "dtype", "keep-fp32", "strip", "force", "require", "cast-all",
         "dequantize", "rename", "names", "family", "bundle", "shards", "adapter", "round-changes",
         "like"});
    const auto unknown = [&](const auto& option) {
        return std::ranges::find(kKnown, option.first) == kKnown.end();
    };
    const auto& recorded = manifest.options;
    if (recorded.empty() || std::ranges::any_of(recorded, unknown)) {
        return std::nullopt;
    }
    const auto value = [&](std::string_view name) {
        const auto found = recorded.find(name);
        return found != recorded.end() ? found->second : std::string();
    };
    ConsolidateOptions options;
    options.job = manifest.job;
    options.to = value("to");
    options.only = Selection::parse(value("only"));
    options.only.subtree = value("subtree");
    options.dtype = value("dtype");
    auto roles = parseRoles(value("strip"));
    auto rules = NameRules::parse(value("rename"));
    if (!roles || !rules) {
        return std::nullopt;
    }
    options.only.without = std::move(*roles);
    options.rename = std::move(*rules);
    options.renameText = value("rename");
    for (std::string text = value("keep-fp32"); !text.empty();) {
        const std::size_t end = std::min(text.find(';'), text.size());
        options.keepFp32.push_back(text.substr(0, end));
        text.erase(0, end + 1);
    }
    options.castAll = recorded.contains("cast-all");
    options.dequantize = recorded.contains("dequantize");
    options.names = recorded.contains("names") ? value("names") : options.names;
    options.family = value("family");
    options.bundle = recorded.contains("bundle");
    options.force = recorded.contains("force");
    options.mustLoad = recorded.contains("require");
    options.roundsChanges = recorded.contains("round-changes");
    return options;
}

/// Adds what the manifest names beside the source to the options; returns the job's source.
Result<CheckpointPtr> findInputs(const CheckpointPtr& source, const Manifest& manifest,
                                 RecordedInputs& inputs, ConsolidateOptions& options) {
    for (const RecordedInput& each : manifest.adapters) {
        CAIRN_TRY(CheckpointPtr adapter, inputs.find(each, "adapter"));
        const std::string path = adapter->path().string();
        options.adapters.push_back({std::move(adapter), path, each.number});
    }
    CheckpointPtr last = source;
    for (const RecordedInput& each : manifest.averaged) {
        const bool isLast = &each == &manifest.averaged.back();
        CAIRN_TRY(last, inputs.find(each, "member of the average", isLast));
        options.average.push_back({last, each.number});
    }
    if (!manifest.averaged.empty() && !inputs.usedSource()) {
        return fail(ErrorCode::InvalidArgument, "The source is none of the averaged checkpoints")
            .inFile(source->path().string())
            .expecting(verbatim(manifest.averaged.back().path));
    }
    if (const auto like = manifest.options.find("like"); like != manifest.options.end()) {
        CAIRN_TRY(options.like, inputs.folder(like->second, "folder of --like"));
    }
    return last;
}

/// Small files of the bundle that the job would write otherwise. The card of the model tells of
/// places, and how an output is divided is not recorded.
void compareSidecars(const CopyPlan& plan, const Manifest& manifest, VerifyResult& result) {
    for (const OutputFile& file : plan.layout.files) {
        const auto written = std::ranges::find(manifest.files, file.name, &WrittenFile::path);
        const bool isSmall = file.tensors.empty() && file.literals.size() == 1;
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
std::string basisOf(const CopyPlan& plan, const ConsolidateOptions& options) {
    std::string basis = "computed from the source again, as the manifest records the job";
    if (!options.adapters.empty()) {
        basis += ", with " + counted(options.adapters.size(), "adapter");
    } else if (!options.average.empty()) {
        basis += ", the mean of " + counted(options.average.size(), "checkpoint");
    }
    if (plan.precision) {
        basis += ": " + options.dtype + ", every scale and code is that of the source's elements";
    } else if (options.dtype != "keep") {
        basis += ": --dtype " + options.dtype;
    }
    return basis;
}

} // namespace

Result<std::optional<VerifyResult>> verifyRecomputed(const CheckpointPtr& source,
                                                     const Checkpoint& output,
                                                     const Manifest& manifest, VerifyScope scope,
                                                     std::span<const std::filesystem::path> inputs,
                                                     JobContext& context) {
    auto options = recordedOptions(manifest);
    if (!options) {
        return std::nullopt;
    }
    options->output = output.path();
    VerifyResult result;
    RecordedInputs recorded(source, output.path(), inputs, context);
    auto base = findInputs(source, manifest, recorded, *options);
    if (!base && base.error().code == ErrorCode::ChangedOnDisk) {
        result.mismatches.push_back(
            {"source", base.error().where.file, verbatim(describe(base.error()))});
        return std::optional(std::move(result));
    }
    CAIRN_CHECK(base);
    const auto planned = prepareConsolidate(*base, *options, context.token());
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
    result.basis = basisOf(plan, *options);
    compareSidecars(plan, manifest, result);
    std::vector<Row> rows;
    std::set<TensorIndex> found;
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
         scope == VerifyScope::AllTensors ? plan.omitted : std::vector<OmittedTensors>()) {
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
