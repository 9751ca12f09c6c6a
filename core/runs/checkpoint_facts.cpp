// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/model/element.h"
#include "core/model/tensor_reader.h"
#include "core/runs/experiment_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>

namespace cairn {
namespace {

constexpr std::size_t kMaxMetrics = 64;
constexpr auto kMetricWords =
    std::to_array<std::string_view>({"loss", "acc", "perplexity", "ppl", "bleu", "rouge", "f1",
                                     "auc", "score", "metric", "reward", "wer", "mse", "map"});

bool looksLikeMetric(std::string_view name) {
    std::string lower;
    std::ranges::transform(name, std::back_inserter(lower),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::any_of(
        kMetricWords, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// The number that a value is, 0-d tensors included.
std::optional<double> numberOf(const Checkpoint& checkpoint, const Value& value) {
    if (const std::int64_t* integer = value.asInt()) {
        return static_cast<double>(*integer);
    }
    if (const double* real = value.asFloat()) {
        return *real;
    }
    const TensorIndex* index = value.asTensor();
    if (index == nullptr) {
        return std::nullopt;
    }
    const TensorEntry& tensor = checkpoint.tensor(*index);
    if (!tensor.shape.empty() || !hasNumericElements(tensor.dtype)) {
        return std::nullopt;
    }
    const auto bytes = readWhole(checkpoint, tensor, 16);
    return bytes ? std::optional(elementAsDouble(tensor.dtype, *bytes)) : std::nullopt;
}

void addMetrics(const Checkpoint& checkpoint, const Value& values, CheckpointFacts& facts) {
    const auto addFrom = [&](const Value& dict, bool all) {
        for (const ValueItem& item : dict.items()) {
            const std::string* name = item.key.asString();
            if (name == nullptr || facts.metrics.size() >= kMaxMetrics ||
                !(all || looksLikeMetric(*name))) {
                continue;
            }
            if (const auto number = numberOf(checkpoint, item.value)) {
                facts.metrics.emplace_back(*name, *number);
            }
        }
    };
    addFrom(values, false);
    for (const std::string_view key : {"metrics", "trainer_state"}) {
        if (const Value* inner = values.find(key)) {
            addFrom(*inner, key == "metrics");
        }
    }
}

/// The last part of the path under which a run's record names its best checkpoint.
std::string bestPathIn(const Value& values) {
    const auto lastPart = [](const Value* value) {
        const std::string* text = value != nullptr ? value->asString() : nullptr;
        return text != nullptr ? std::filesystem::path(*text).filename().string() : std::string();
    };
    if (std::string best = lastPart(values.findPath({"trainer_state", "best_model_checkpoint"}));
        !best.empty()) {
        return best;
    }
    const Value* callbacks = values.find("callbacks");
    for (const ValueItem& item : callbacks != nullptr ? callbacks->items() : values.items()) {
        if (std::string best = lastPart(item.value.find("best_model_path")); !best.empty()) {
            return best;
        }
    }
    return {};
}

CheckpointState stateOf(const Error& error) {
    switch (error.code) {
    case ErrorCode::MissingShard:
    case ErrorCode::DcpNoMetadata:
        return CheckpointState::Incomplete;
    case ErrorCode::BeingWritten:
        return CheckpointState::BeingWritten;
    case ErrorCode::PermissionDenied:
    case ErrorCode::Io:
    case ErrorCode::Unsupported:
    case ErrorCode::OutOfMemory:
        return CheckpointState::Unknown;
    default:
        return CheckpointState::Damaged;
    }
}

std::string firstReason(const Checkpoint& checkpoint) {
    if (!checkpoint.why().empty() && checkpoint.completeness() != Completeness::Complete) {
        return checkpoint.why().front();
    }
    for (const Notice& notice : checkpoint.notices()) {
        if (notice.severity == Severity::Error) {
            return notice.error.message;
        }
    }
    return {};
}

void readFacts(const Checkpoint& checkpoint, const CancelToken& cancel, CheckpointFacts& facts) {
    facts.format = checkpoint.format();
    facts.tensors = checkpoint.tensors().size();
    facts.reason = firstReason(checkpoint);
    switch (checkpoint.completeness()) {
    case Completeness::Complete:
        facts.state = CheckpointState::Complete;
        break;
    case Completeness::Incomplete:
        facts.state = CheckpointState::Incomplete;
        break;
    case Completeness::Unknown:
        facts.state = CheckpointState::Unknown;
        break;
    }
    const TrainingPosition position = trainingPosition(checkpoint, cancel);
    facts.step = position.step;
    facts.epoch = position.epoch;
    if (const auto values = checkpoint.values(cancel)) {
        addMetrics(checkpoint, *values, facts);
        facts.bestPath = bestPathIn(*values);
    }
}

/// Numbered before unnumbered, steps before epochs, then natural order.
auto orderKey(const ScannedCheckpoint& checkpoint) {
    const int group = checkpoint.step ? 0 : checkpoint.epoch ? 1 : 2;
    const double number =
        checkpoint.step ? static_cast<double>(*checkpoint.step) : checkpoint.epoch.value_or(0);
    return std::pair(group, number);
}

bool isWhole(const ScannedCheckpoint& checkpoint) {
    return checkpoint.state == CheckpointState::Complete ||
           checkpoint.state == CheckpointState::Unknown;
}

} // namespace

Result<CheckpointFacts> examineCheckpoint(const std::filesystem::path& path,
                                          const CancelToken& cancel) {
    CAIRN_CHECK(cancel.check());
    CheckpointFacts facts;
    const auto checkpoint = openCheckpoint(path, cancel);
    if (checkpoint) {
        readFacts(**checkpoint, cancel, facts);
    } else if (checkpoint.error().code != ErrorCode::Cancelled) {
        facts.state = stateOf(checkpoint.error());
        facts.reason = checkpoint.error().message;
    }
    CAIRN_CHECK(cancel.check());
    return facts;
}

void applyFacts(ScannedCheckpoint& checkpoint, const CheckpointFacts& facts) {
    if (!facts.format.empty()) {
        checkpoint.format = facts.format;
    }
    checkpoint.step = facts.step ? facts.step : checkpoint.step;
    checkpoint.epoch = facts.epoch ? facts.epoch : checkpoint.epoch;
    if (checkpoint.state != CheckpointState::BeingWritten) {
        checkpoint.state = facts.state;
        checkpoint.reason = facts.reason;
    }
    checkpoint.best =
        checkpoint.best || (!facts.bestPath.empty() && facts.bestPath == checkpoint.name);
}

void sortCheckpoints(ScannedRun& run) {
    std::ranges::sort(run.checkpoints, [](const ScannedCheckpoint& a, const ScannedCheckpoint& b) {
        const auto left = orderKey(a);
        const auto right = orderKey(b);
        return left != right ? left < right : naturalLess(a.name, b.name);
    });
    ScannedCheckpoint* latest = nullptr;
    for (ScannedCheckpoint& checkpoint : run.checkpoints) {
        checkpoint.latest = false;
        const bool numbered = checkpoint.step || checkpoint.epoch;
        if (latest == nullptr || numbered ||
            (!latest->step && !latest->epoch && checkpoint.modifiedNs >= latest->modifiedNs)) {
            latest = &checkpoint;
        }
    }
    if (latest != nullptr) {
        latest->latest = true;
    }
}

std::string_view stateName(CheckpointState state) {
    switch (state) {
    case CheckpointState::Unknown:
        return "unknown";
    case CheckpointState::Complete:
        return "complete";
    case CheckpointState::Incomplete:
        return "incomplete";
    case CheckpointState::BeingWritten:
        return "being-written";
    case CheckpointState::Damaged:
        return "damaged";
    }
    return "unknown";
}

std::uint64_t ScannedRun::bytes() const {
    std::uint64_t sum = 0;
    for (const ScannedCheckpoint& checkpoint : checkpoints) {
        sum += checkpoint.bytes;
    }
    return sum;
}

std::size_t Experiment::checkpoints() const {
    std::size_t count = 0;
    for (const ScannedRun& run : runs) {
        count += run.checkpoints.size();
    }
    return count;
}

const ScannedCheckpoint* Experiment::newestWhole() const {
    const ScannedCheckpoint* newest = nullptr;
    std::int64_t newestNs = 0;
    for (const ScannedRun& run : runs) {
        std::int64_t runNs = 0;
        for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
            runNs = std::max(runNs, checkpoint.modifiedNs);
        }
        const auto last = std::find_if(run.checkpoints.rbegin(), run.checkpoints.rend(), isWhole);
        if (last != run.checkpoints.rend() && (newest == nullptr || runNs > newestNs)) {
            newest = &*last;
            newestNs = runNs;
        }
    }
    return newest;
}

} // namespace cairn
