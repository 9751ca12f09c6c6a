// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/checkpoint_facts.h"

#include "core/io/folder.h"
#include "core/model/finding_rules.h"
#include "core/model/names/file_names.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"
#include "core/model/training_position.h"
#include "core/runs/facts/checkpoint_metrics.h"
#include "core/runs/facts/position_decision.h"
#include "core/runs/facts/shared_open.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace cairn {
namespace {

constexpr std::size_t kMaxLogEntries = 1'000'000;

std::string lastPart(const Value* value) {
    const std::string* text = value != nullptr ? value->asString() : nullptr;
    return text != nullptr ? std::string(lastPathPart(*text)) : std::string();
}

/// The Trainer does not record the metric of its best value; a row of its log with exactly this
/// value identifies it.
std::string metricOfTrainer(const Checkpoint& checkpoint, const Value& state, double best) {
    const Value* log = state.find("log_history");
    if (log == nullptr) {
        return {};
    }
    std::size_t looked = 0;
    for (const ValueItem& row : log->items()) {
        for (const ValueItem& entry : row.value.items()) {
            const std::string* name = entry.key.asString();
            if (++looked > kMaxLogEntries) {
                return {};
            }
            if (name != nullptr && name->starts_with("eval_") &&
                numberOf(checkpoint, entry.value) == best) {
                return *name;
            }
        }
    }
    return {};
}

/// transformers/trainer_callback.py, TrainerState.
std::optional<BestRecord> recordOfTrainer(const Checkpoint& checkpoint, const Value& values) {
    const Value* state = values.find("trainer_state");
    BestRecord record;
    record.name = lastPart(state != nullptr ? state->find("best_model_checkpoint") : nullptr);
    if (record.name.empty()) {
        return std::nullopt;
    }
    if (const Value* best = state->find("best_metric")) {
        record.value = numberOf(checkpoint, *best);
    }
    if (record.value) {
        record.metric = metricOfTrainer(checkpoint, *state, *record.value);
    }
    if (const Value* args = values.find("training_args")) {
        const Value* metric = args->find("metric_for_best_model");
        if (metric != nullptr && metric->asString() != nullptr) {
            const std::string& name = *metric->asString();
            record.metric = name.starts_with("eval_") ? name : "eval_" + name;
        }
        const Value* greater = args->find("greater_is_better");
        if (greater != nullptr && greater->asBool() != nullptr) {
            record.better =
                *greater->asBool() ? names::Direction::Larger : names::Direction::Smaller;
        }
    }
    return record;
}

/// The key of a Lightning callback contains its arguments: "ModelCheckpoint{'monitor': 'val_loss',
/// 'mode': 'min', …}".
names::Direction modeIn(const Value& key) {
    const std::string* text = key.asString();
    const auto has = [&](std::string_view mode) {
        return text != nullptr && text->find(mode) != std::string::npos;
    };
    return has("'mode': 'min'")   ? names::Direction::Smaller
           : has("'mode': 'max'") ? names::Direction::Larger
                                  : names::Direction::Unknown;
}

/// lightning/pytorch/callbacks/model_checkpoint.py, state_dict(). Without a monitored metric its
/// "best" is only the last one that it wrote.
std::optional<BestRecord> recordOfLightning(const Checkpoint& checkpoint, const Value& values) {
    const Value* callbacks = values.find("callbacks");
    if (callbacks == nullptr) {
        return std::nullopt;
    }
    for (const ValueItem& item : callbacks->items()) {
        const Value* monitor = item.value.find("monitor");
        BestRecord record;
        record.name = lastPart(item.value.find("best_model_path"));
        if (record.name.empty() || monitor == nullptr || monitor->asString() == nullptr) {
            continue;
        }
        record.metric = *monitor->asString();
        record.better = modeIn(item.key);
        if (const Value* score = item.value.find("best_model_score")) {
            record.value = numberOf(checkpoint, *score);
        }
        return record;
    }
    return std::nullopt;
}

/// mmengine/hooks/checkpoint_hook.py: the message hub that is saved with every checkpoint. The
/// metric is recorded only in the name of the file.
std::optional<BestRecord> recordOfMmengine(const Checkpoint& checkpoint, const Value& values) {
    const Value* hub = values.find("message_hub");
    const Value* info = hub != nullptr ? hub->find("runtime_info") : nullptr;
    BestRecord record;
    record.name = lastPart(info != nullptr ? info->find("best_ckpt") : nullptr);
    if (record.name.empty()) {
        return std::nullopt;
    }
    if (const Value* best = info->find("best_score")) {
        record.value = numberOf(checkpoint, *best);
    }
    return record;
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
    case ErrorCode::OutOfMemory:
        return CheckpointState::Unknown;
    default:
        return isUnread(error.code) ? CheckpointState::Unknown : CheckpointState::Damaged;
    }
}

/// True for errors of a file that is probably still being written.
bool looksUnfinished(ErrorCode code) {
    switch (code) {
    case ErrorCode::Truncated:
    case ErrorCode::ZipNoDirectory:
    case ErrorCode::PickleTruncated:
    case ErrorCode::SafetensorsSizeMismatch:
    case ErrorCode::SafetensorsBadHeader:
    case ErrorCode::DcpItemBeyondFile:
    case ErrorCode::DcpNoMetadata:
    case ErrorCode::BeingWritten:
    case ErrorCode::ChangedOnDisk:
    case ErrorCode::EmptyFile:
        return true;
    default:
        return false;
    }
}

/// True for errors of a file whose content contradicts itself, which an interrupted save does not
/// explain.
bool isDamage(ErrorCode code) {
    switch (code) {
    case ErrorCode::BadChecksum:
    case ErrorCode::BadEncoding:
    case ErrorCode::ZeroFilled:
    case ErrorCode::ZipBadDirectory:
    case ErrorCode::ZipBadEntry:
    case ErrorCode::ZipOverlap:
    case ErrorCode::ZipLocalMismatch:
    case ErrorCode::ZipBadData:
    case ErrorCode::PickleBadOpcode:
    case ErrorCode::PickleStackUnderflow:
    case ErrorCode::PickleNoMark:
    case ErrorCode::PickleBadMemo:
    case ErrorCode::PickleBadOperand:
    case ErrorCode::PickleBadText:
    case ErrorCode::PickleBadFrame:
    case ErrorCode::SafetensorsHeaderTooLarge:
    case ErrorCode::SafetensorsBadHeader:
    case ErrorCode::SafetensorsBadOffsets:
    case ErrorCode::SafetensorsOverlap:
    case ErrorCode::DcpBadMetadata:
        return true;
    default:
        return false;
    }
}

Sentence firstReason(const Checkpoint& checkpoint) {
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

bool isOfModel(const TensorEntry& tensor) {
    switch (tensor.role) {
    case Role::Weight:
    case Role::Buffer:
    case Role::Ema:
    case Role::Other:
        return true;
    case Role::Optimizer:
    case Role::Scheduler:
    case Role::Rng:
    case Role::TrainingState:
        return false;
    }
    return true;
}

bool isOptimizer(const TensorEntry& tensor) {
    return tensor.role == Role::Optimizer;
}

/// SGD without momentum keeps no tensors, only its groups of parameters.
bool hasOptimizer(const Value& values) {
    return std::ranges::any_of(values.items(), [](const ValueItem& item) {
        const std::string* key = item.key.asString();
        return key != nullptr && !item.value.items().empty() &&
               names::roleOfKey(names::lowered(*key)) == Role::Optimizer;
    });
}

/// "data", "labels", "x_train": every tensor has the name of a data array.
bool isDataSet(const Checkpoint& checkpoint) {
    return std::ranges::all_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
        const auto words = names::wordsOf(tensor.name);
        return !words.empty() && std::ranges::all_of(words, [](const std::string& word) {
            return names::means(word, names::Meaning::Data);
        });
    });
}

RoleBytes roleBytesOf(const Checkpoint& checkpoint) {
    RoleBytes roles;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        if (tensor.aliasOf) {
            continue;
        }
        std::uint64_t& sum = tensor.role == Role::Weight || tensor.role == Role::Buffer
                                 ? roles.weights
                             : tensor.role == Role::Optimizer ? roles.optimizer
                                                              : roles.other;
        sum = checkedAdd(sum, tensor.bytes()).value_or(std::numeric_limits<std::uint64_t>::max());
    }
    return roles;
}

template <class Predicate> bool hasError(const Checkpoint& checkpoint, const Predicate& isSuch) {
    return std::ranges::any_of(checkpoint.notices(), [&](const Notice& notice) {
        return notice.severity == Severity::Error && isSuch(notice.error.code);
    });
}

void readFacts(const Checkpoint& checkpoint, const CancelToken& cancel, CheckpointFacts& facts) {
    facts.format = checkpoint.format();
    facts.tensors = checkpoint.tensors().size();
    facts.noModel = std::ranges::none_of(checkpoint.tensors(), isOfModel) || isDataSet(checkpoint);
    facts.resumable = std::ranges::any_of(checkpoint.tensors(), isOptimizer);
    facts.roles = roleBytesOf(checkpoint);
    facts.reason = firstReason(checkpoint);
    switch (checkpoint.completeness()) {
    case Completeness::Complete:
        facts.state = CheckpointState::Complete;
        break;
    case Completeness::Incomplete:
        facts.state =
            hasError(checkpoint, isDamage) ? CheckpointState::Damaged : CheckpointState::Incomplete;
        break;
    case Completeness::Unknown:
        facts.state = CheckpointState::Unknown;
        break;
    }
    facts.unfinished = checkpoint.completeness() == Completeness::Incomplete &&
                       hasError(checkpoint, looksUnfinished);
    const RecordedTraining recorded = recordedTraining(checkpoint, cancel);
    const TrainingPosition& position = recorded.position;
    facts.step = position.step;
    facts.epoch = position.epoch;
    facts.vagueStep = position.vagueStep;
    facts.vagueEpoch = position.vagueEpoch;
    facts.stepField = recorded.stepField;
    facts.epochField = recorded.epochField;
    facts.batches = recorded.batches;
    if (const auto values = checkpoint.values(cancel)) {
        facts.resumable = facts.resumable || hasOptimizer(*values);
        facts.metrics = metricsOf(checkpoint, *values);
        facts.record = recordOfTrainer(checkpoint, *values);
        if (!facts.record) {
            facts.record = recordOfLightning(checkpoint, *values);
        }
        if (!facts.record) {
            facts.record = recordOfMmengine(checkpoint, *values);
        }
    }
}

/// The optimizer's own count, among the numbers that the checkpoint holds.
std::optional<std::int64_t> updatesIn(const CheckpointFacts& facts) {
    const auto at = std::ranges::find(facts.metrics, kOptimizerStep,
                                      [](const auto& metric) { return metric.first; });
    const bool isCount = at != facts.metrics.end() && at->second >= 0 && at->second < 9e15;
    return isCount ? std::optional(static_cast<std::int64_t>(at->second)) : std::nullopt;
}

} // namespace

Result<CheckpointFacts> examineCheckpoint(const std::filesystem::path& path,
                                          const CancelToken& cancel) {
    return examineCheckpoint(path, stamped(path), cancel);
}

Result<CheckpointFacts> examineCheckpoint(const std::filesystem::path& path, Stamped now,
                                          const CancelToken& cancel) {
    CAIRN_CHECK(cancel.check());
    CheckpointFacts facts;
    const auto checkpoint = openShared(path, std::move(now), cancel, Reuse::Running);
    if (checkpoint) {
        readFacts(**checkpoint, cancel, facts);
    } else if (checkpoint.error().code != ErrorCode::Cancelled) {
        facts.state = stateOf(checkpoint.error());
        facts.unfinished = looksUnfinished(checkpoint.error().code);
        facts.reason = checkpoint.error().message;
    }
    CAIRN_CHECK(cancel.check());
    return facts;
}

void applyFacts(ScannedCheckpoint& checkpoint, const CheckpointFacts& facts, std::int64_t nowNs) {
    checkpoint.examined = true;
    checkpoint.opened = !facts.format.empty();
    checkpoint.noModel = checkpoint.opened ? facts.noModel : checkpoint.noModel;
    checkpoint.resumable = facts.resumable;
    checkpoint.roles = facts.roles;
    if (!facts.format.empty()) {
        checkpoint.format = facts.format;
    }
    decidePosition(checkpoint, {facts.step, facts.epoch, facts.vagueStep, facts.vagueEpoch,
                                facts.stepField, facts.epochField, updatesIn(facts)});
    checkpoint.batches = facts.batches;
    checkpoint.record = facts.record;
    checkpoint.metrics = facts.metrics;
    if (checkpoint.listedState != CheckpointState::Unknown) {
        return;
    }
    checkpoint.state = facts.state;
    checkpoint.reason = facts.reason;
    const std::int64_t age = nowNs - checkpoint.modifiedNs;
    if (facts.unfinished && age < kStillWritingNs) {
        checkpoint.state = CheckpointState::BeingWritten;
        checkpoint.reason = sentence("%1%2",
                                     age < 0 ? "Its modification time is in the future"
                                             : sentence("It changed %1 s ago", age / 1'000'000'000),
                                     sentence(": %1", facts.reason));
    }
}

void applyFacts(ScannedCheckpoint& checkpoint, const CheckpointFacts& facts) {
    applyFacts(checkpoint, facts,
               std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::system_clock::now().time_since_epoch())
                   .count());
}

} // namespace cairn
