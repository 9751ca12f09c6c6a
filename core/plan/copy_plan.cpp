// SPDX-License-Identifier: Apache-2.0
#include "core/plan/copy_plan.h"

#include "core/model/columns.h"
#include "core/model/tensor_reader.h"
#include "core/plan/engine_memory.h"
#include "core/plan/shared_ranges.h"

#include <algorithm>
#include <set>

namespace cairn {
namespace {

constexpr std::uint64_t kProgramMemory = std::uint64_t{3} << 20U;
/// Memory of one worker: freed buffers that the allocator keeps (between 0 and twice as much);
/// buffers for casts; buffers for products and sums.
constexpr std::uint64_t kKeptMemory = std::uint64_t{1} << 20U;
constexpr std::uint64_t kCastMemory = std::uint64_t{256} << 10U;
constexpr std::uint64_t kComputeMemory = std::uint64_t{4} << 20U;

bool isGathered(const TensorEntry& tensor) {
    return std::ranges::any_of(tensor.pieces, [&](const Piece& piece) {
        return !piece.strides.empty() || takesColumns(piece.box, tensor.shape);
    });
}

EngineWork workOf(const CopyPlan& plan) {
    const Checkpoint& source = *plan.source;
    EngineWork work;
    work.casts = plan.castTensors() > 0;
    work.computes = !plan.recipes.empty() || plan.precision || plan.readsComputed();
    work.gathers = std::ranges::any_of(source.tensors(), isGathered) ||
                   std::ranges::any_of(plan.layout.files, [&](const OutputFile& file) {
                       return std::ranges::any_of(file.tensors, [&](const TensorSegment& segment) {
                           return takesColumns(segment.box, source.tensor(segment.source).shape);
                       });
                   });
    return work;
}

/// Matrices of adapters: each worker has the one that is as wide as a tensor's rows, as stored and
/// as floats, and room for rows of the other.
std::uint64_t foldMemory(const CopyPlan& plan) {
    constexpr std::uint64_t kRows = std::uint64_t{4} << 20U;
    std::uint64_t most = 0;
    for (const auto& [tensor, recipe] : plan.sums()) {
        std::uint64_t bytes = 0;
        for (const FoldStep& step : recipe.steps) {
            const Shape shape = asMatrix(plan.summedSource().tensor(tensor).shape);
            const auto columns = shape.empty() ? 1 : shape[shape.size() - 1];
            bytes += kRows +
                     2 * sizeof(float) * static_cast<std::uint64_t>(step.operation.rank * columns);
        }
        most = std::max(most, bytes);
    }
    const std::size_t readers =
        plan.computed ? 2 * std::max(kComputedReaders, engineWorkers()) : engineWorkers();
    return readers * most;
}

} // namespace

bool CopyPlan::runnable() const {
    return std::ranges::none_of(
        problems, [](const auto& problem) { return problem.severity == Severity::Error; });
}

std::uint64_t CopyPlan::outputBytes() const {
    std::uint64_t bytes = 0;
    for (const OutputFile& file : layout.files) {
        bytes += file.size;
    }
    return bytes;
}

std::span<const SharedRange> CopyPlan::sharedOf(std::size_t file) const {
    const auto first = std::ranges::lower_bound(shared, file, {}, &SharedRange::file);
    const auto end = std::ranges::upper_bound(first, shared.end(), file, {}, &SharedRange::file);
    return {first, end};
}

std::uint64_t CopyPlan::sharedBytes() const {
    std::uint64_t bytes = 0;
    for (const SharedRange& range : shared) {
        bytes += range.length;
    }
    return bytes;
}

std::uint64_t CopyPlan::outputTensors() const {
    std::uint64_t tensors = 0;
    for (const OutputFile& file : layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const bool first = // one of a tensor's chunks contains its first element
                std::ranges::all_of(segment.box.origin.span(), [](auto at) { return at == 0; });
            tensors += first ? 1U : 0U;
        }
    }
    return tensors;
}

std::uint64_t CopyPlan::castTensors() const {
    std::set<TensorIndex> cast;
    for (const OutputFile& file : layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const auto recipe = recipes.find(segment.source);
            if (segment.dtype != source->tensor(segment.source).dtype &&
                (recipe == recipes.end() || recipe->second.divides)) {
                cast.insert(segment.source);
            }
        }
    }
    return cast.size();
}

namespace {

/// What a recipe reads of other checkpoints than `source`.
void addOperands(std::set<SourceTensor>& others, const ElementRecipe& recipe,
                 const CheckpointPtr& source) {
    for (const AverageTerm& term : recipe.terms) {
        if (term.checkpoint != source) {
            others.insert({term.checkpoint.get(), term.tensor});
        }
    }
    for (const FoldStep& step : recipe.steps) {
        for (const TensorIndex operand : operandsOf(step.operation)) {
            others.insert({step.adapter.get(), operand});
        }
    }
}

} // namespace

std::vector<SourceTensor>
sourceTensors(const CopyPlan& plan,
              const std::function<bool(std::size_t file, std::size_t segment)>& wanted) {
    std::vector<bool> own(plan.source != nullptr ? plan.source->tensors().size() : 0, false);
    std::set<SourceTensor> others;
    if (plan.computed) {
        for (const auto& [tensor, recipe] : plan.computed->recipes) {
            addOperands(others, recipe, plan.source);
        }
    }
    for (std::size_t i = 0; i < plan.layout.files.size(); ++i) {
        const OutputFile& file = plan.layout.files[i];
        for (std::size_t s = 0; s < file.tensors.size(); ++s) {
            if (wanted && !wanted(i, s)) {
                continue;
            }
            const TensorSegment& segment = file.tensors[s];
            own[segment.source.position()] = true;
            const auto recipe = plan.recipes.find(segment.source);
            if (recipe == plan.recipes.end()) {
                continue;
            }
            if (recipe->second.scales) {
                own[recipe->second.scales->position()] = true;
            }
            addOperands(others, recipe->second, plan.source);
        }
    }
    std::vector<SourceTensor> all;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i]) {
            all.push_back({plan.source.get(), TensorIndex(i)});
        }
    }
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::uint64_t engineMemory(const EngineWork& work) {
    const std::uint64_t worker =
        2 * kEngineChunk + kKeptMemory + (work.gathers ? TensorReader::kMaxSpan : 0) +
        (work.casts ? kCastMemory : 0) + (work.computes ? kComputeMemory : 0);
    return kProgramMemory + engineWorkers() * worker;
}

void refreshForecast(CopyPlan& plan) {
    Forecast& cost = plan.forecast;
    plan.shared = sharedRanges(plan);
    cost.sharedBytes = plan.sharedBytes();
    cost.files = plan.layout.files.size();
    cost.bytes = plan.outputBytes();
    cost.memoryBytes = engineMemory(workOf(plan)) + foldMemory(plan);
    for (const OutputFile& file : plan.layout.files) {
        for (const LiteralContent& content : file.contents) {
            cost.memoryBytes += content.bytes.size();
        }
    }
    cost.rate = forecastRate(workKindOf(plan), plan.rates);
    const double writing =
        static_cast<double>(cost.bytes - cost.sharedBytes) / cost.rate.bytesPerSecond;
    const double hashing = static_cast<double>(cost.sharedBytes) / kForecastHashBytesPerSecond;
    cost.seconds = writing + hashing;
    if (hashing > writing) {
        cost.rate = {kForecastHashBytesPerSecond, RateOrigin::Assumed};
    }
}

Result<void> checkRunnable(const CopyPlan& plan) {
    const auto found = std::ranges::find(plan.problems, Severity::Error, &PlanProblem::severity);
    if (found == plan.problems.end()) {
        return {};
    }
    Error error = fail(found->code, found->message).withHint(found->fix);
    error.where = found->where;
    return error;
}

} // namespace cairn
