// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare.h"

#include "core/analysis/dequantized.h"
#include "core/compute/device_choice.h"
#include "core/jobs/bundle.h"
#include "core/jobs/share_pass.h"
#include "core/jobs/sidecars.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <filesystem>

namespace cairn {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> freeSpace(const fs::path& folder) {
    struct statvfs status {};
    if (::statvfs(folder.c_str(), &status) != 0 || status.f_blocks == 0) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

bool isBelow(const fs::path& inner, const fs::path& outer) {
    const auto [end, rest] = std::ranges::mismatch(outer, inner);
    return end == outer.end();
}

/// Replaces the quantised blocks of a checkpoint by the numbers that they represent; false: it has
/// none.
bool useNumbers(CheckpointPtr& source) {
    CheckpointPtr view = dequantizedView(*source);
    if (view == nullptr) {
        return false;
    }
    source = std::move(view);
    return true;
}

void decideNumbers(CopyPlan& plan) {
    plan.decisions.push_back({"quantised tensors", "dequantised to float32",
                              "The output does not support these blocks; their values are written "
                              "as ggml computes them"});
}

/// libtorch itself, its temporary tensors on the processor or its pinned buffers.
constexpr std::uint64_t kDeviceMemory = std::uint64_t{256} << 20U;

/// Elements that are cast, multiplied or averaged; everything else is copied.
DeviceWork computedBy(const CopyPlan& plan) {
    DeviceWork work;
    work.sourceRate = forecastRate(WorkKind::Copy, plan.rates).bytesPerSecond;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const Dtype from = plan.source->tensor(segment.source).dtype;
            const auto recipe = plan.recipes.find(segment.source);
            const bool made = recipe != plan.recipes.end();
            if (from == segment.dtype && !made) {
                continue;
            }
            const std::uint64_t members =
                made ? std::max<std::size_t>(1, recipe->second.terms.size()) : 1;
            const std::uint64_t elements = dtypeElements(segment.dtype, segment.length);
            work.bytesIn += members * elements * dtypeInfo(from).bits / 8;
            work.bytesOut += segment.length;
        }
    }
    return work;
}

Result<void> decideDevice(CopyPlan& plan, std::string_view asked) {
    CAIRN_TRY(const DeviceChoice choice, chooseDevice(asked, computedBy(plan)));
    plan.forecast.device = choice.device;
    if (choice.device != "cpu") {
        plan.forecast.memoryBytes += kDeviceMemory;
        ForecastRate& rate = plan.forecast.rate; // jobs measure what the processor does
        rate.origin = std::min(rate.origin, RateOrigin::Inferred);
    }
    plan.decisions.push_back({"device", choice.device, choice.why});
    return {};
}

} // namespace

fs::path existingFolder(const fs::path& output) {
    std::error_code error;
    fs::path folder = fs::absolute(output, error).parent_path();
    while (!fs::exists(folder, error) && folder.has_relative_path()) {
        folder = folder.parent_path();
    }
    return folder;
}

LayoutTarget layoutTarget(const FormatInfo& format) {
    return {std::string(format.id), format.layout, format.writes};
}

const FormatInfo* formatForEnding(const fs::path& output) {
    const std::string ending = output.extension().string();
    const auto isWrittenSo = [&](const FormatInfo* format) {
        return std::ranges::find(format->writes.endings, ending) != format->writes.endings.end();
    };
    const auto formats = builtinFormats();
    const auto found = std::ranges::find_if(formats, isWrittenSo);
    return found != formats.end() ? *found : nullptr;
}

PlanFacts gatherFacts(const Checkpoint& source, const fs::path& output, bool bundle,
                      const CancelToken& cancel) {
    PlanFacts facts;
    std::error_code error;
    const fs::path wanted = output.filename().empty() ? output.parent_path() : output; // "out/"
    facts.outputExists = fs::exists(fs::symlink_status(wanted, error));
    facts.outputIsSource = facts.outputExists && fs::equivalent(wanted, source.path(), error);
    if (fs::is_directory(source.path(), error)) {
        facts.outputInsideSource =
            isBelow(fs::weakly_canonical(fs::absolute(wanted, error), error),
                    fs::weakly_canonical(fs::absolute(source.path(), error), error));
    }
    facts.freeBytes = freeSpace(existingFolder(wanted));
    if (bundle && !cancel.cancelled()) {
        facts.sidecars = findSidecars(source);
    }
    return facts;
}

Result<CopyPlan> prepareConsolidate(CheckpointPtr source, const ConsolidateOptions& options,
                                    const CancelToken& cancel, const DiskRates& rates) {
    const FormatInfo* format = findFormat(options.to);
    if (format == nullptr) {
        return fail(ErrorCode::Unsupported, "No such format")
            .inField("to")
            .butFound(options.to)
            .withHint("`cairn-cli formats` lists the formats that can be written");
    }
    if (options.output.empty()) {
        return fail(ErrorCode::InvalidArgument, "No output was specified");
    }
    const bool dequantized = options.dtype != "keep" && useNumbers(source);
    PlanFacts facts = gatherFacts(*source, options.output, options.bundle, cancel);
    for (const AverageMember& member : options.average) {
        const PlanFacts other = gatherFacts(*member.checkpoint, options.output, false, cancel);
        facts.outputIsSource = facts.outputIsSource || other.outputIsSource;
        facts.outputInsideSource = facts.outputInsideSource || other.outputInsideSource;
    }
    facts.sharing = findSharing(*source, existingFolder(options.output));
    facts.rates = rates.of(fileSystemsOf(*source, options.output));
    ConsolidateOptions settled = options;
    if (options.bundle && tiesEmbeddings(facts.sidecars) == false) {
        settled.tied = TiedWeights::Copies; // the model will not tie them again
    }
    auto values = source->values(cancel);
    CAIRN_CHECK(cancel.check());
    if (values) {
        facts.values = std::move(*values);
    }
    CAIRN_TRY(CopyPlan plan,
              planConsolidate(std::move(source), layoutTarget(*format), settled, std::move(facts)));
    if (dequantized) {
        decideNumbers(plan);
    }
    if (options.bundle) {
        CAIRN_CHECK(completeBundle(plan));
    }
    CAIRN_CHECK(decideDevice(plan, options.device));
    if (!values && options.only.kind == Selection::Kind::All) {
        plan.problems.push_back({values.error().code, Severity::Warning,
                                 "The plain values could not be read: " + values.error().message,
                                 values.error().hint, values.error().where});
    }
    return plan;
}

Result<CopyPlan> prepareExport(CheckpointPtr source, const ExportOptions& options,
                               const CancelToken& cancel, const DiskRates& rates) {
    const FormatInfo* format = formatForEnding(options.output);
    if (format == nullptr) {
        return fail(ErrorCode::Unsupported, "Unknown output extension")
            .inFile(options.output.string())
            .expecting(
                ".safetensors, .npy, .npz, .pt, or .csv for one tensor of up to two dimensions");
    }
    const LayoutTarget target = layoutTarget(*format);
    const bool dequantized = !target.can.hasBlocks && useNumbers(source);
    PlanFacts facts = gatherFacts(*source, options.output, false, cancel);
    facts.sharing = findSharing(*source, existingFolder(options.output));
    facts.rates = rates.of(fileSystemsOf(*source, options.output));
    CAIRN_CHECK(cancel.check());
    CAIRN_TRY(CopyPlan plan, planExport(std::move(source), target, options, std::move(facts)));
    if (dequantized) {
        decideNumbers(plan);
    }
    return plan;
}

} // namespace cairn
