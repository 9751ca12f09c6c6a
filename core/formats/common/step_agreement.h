// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Whether the members of one checkpoint were saved at the same step.
namespace cairn::formats {

/// What a recorded number counts. Updates are the optimizer's own: where a loss scaler is in use,
/// it skips some steps.
enum class Counter : std::uint8_t { Step, Update };

/// Collects the step that each member recorded and reports those that differ. Plain data; one
/// thread.
///
///     StepAgreement steps;
///     steps.add("trainer_state.json", "global_step", 20);
///     steps.add("optimizer.pt", "state.step", optimizerStep(*member, cancel), Counter::Update);
///     steps.report(data); // notices of ErrorCode::MixedSteps: `check` reports "mixed", a
///                         // consolidation stops
class StepAgreement {
public:
    /// `member`: the file, as its notice names it; `field`: where in it. Nothing: the member
    /// records none, and is of any save. The first member is trusted where the others are
    /// divided equally.
    void add(std::string member, std::string field, std::optional<std::int64_t> step,
             Counter counter = Counter::Step);

    /// A loss scaler is among the members: updates may be fewer than steps.
    void allowSkipped() { m_skips = true; }

    /// Adds a notice for each member that was saved at another step than most, and makes the
    /// checkpoint incomplete then. False: some differ.
    bool report(CheckpointData& data) const;

private:
    struct Record {
        std::string member;
        std::string field;
        std::int64_t step = 0;
        Counter counter = Counter::Step;
    };
    /// What most members recorded: of that counter, or of both.
    std::optional<std::int64_t> common(std::optional<Counter> counter) const;

    std::vector<Record> m_records;
    bool m_skips = false;
};

/// The count of steps or updates that a tensor of one element holds. Nothing: it is not a count, or
/// cannot be read.
std::optional<std::int64_t> recordedStep(const Checkpoint& member, const TensorEntry& tensor);

/// The highest update count in an optimizer's states, of as many states as are worth reading:
/// `step` of {"state": {0: {"step": …}}}, wherever that is in the member. Nothing: it has none
/// (SGD), or cannot be read.
std::optional<std::int64_t> optimizerStep(const Checkpoint& member, const CancelToken& cancel = {});

/// How often a scheduler has stepped: "last_epoch" of the values, or of what they hold under a name
/// such as "lr_scheduler". Nothing: there is none, or one that counts evaluations as
/// ReduceLROnPlateau does.
std::optional<std::int64_t> schedulerCount(const Value& values);

/// The learning rates that an optimizer's groups are set to ("lr" of "param_groups"), or that a
/// scheduler set last
/// ("_last_lr"), as they stand. Empty: none.
std::vector<double> optimizerRates(const Value& values);
std::vector<double> schedulerRates(const Value& values);
/// As far as rounding allows.
bool sameRates(const std::vector<double>& left, const std::vector<double>& right);

/// What an optimizer and its scheduler saved, each in a file of its own.
struct Schedule {
    std::string optimizer; ///< the file, as its notice names it
    std::optional<std::int64_t> updates;
    std::vector<double> optimizerRates;
    std::string scheduler;
    std::optional<std::int64_t> counted;
    std::vector<double> schedulerRates;
    bool governs = false; ///< the trainer is known, and nothing else in it sets rates
};
/// Reports an optimizer that has other rates than its scheduler set, if that has stepped more often
/// or governs them: where it stepped less often, it may count epochs, and training loops set rates
/// by themselves, too.
void compareSchedule(CheckpointData& data, Schedule found);

} // namespace cairn::formats
