// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Whether the members of one checkpoint were saved at the same step.
namespace cairn::formats {

/// What a recorded number counts. Updates are the optimizer's steps: a loss scaler makes it skip
/// some training steps. Epochs and other numbers are compared with their own kind only.
enum class Counter : std::uint8_t { Step, Update, Epoch, Other };

/// Collects the step that each member recorded and reports those that differ. Plain data; not
/// thread-safe.
///
///     StepAgreement steps;
///     steps.add("trainer_state.json", "global_step", 20);
///     steps.add("optimizer.pt", "state.step", optimizerStep(*member, cancel), Counter::Update);
///     steps.report(data); // ErrorCode::MixedSteps: `check` reports "mixed", jobs stop
class StepAgreement {
public:
    /// `member`: the file, for notices; `field`: its location in the file. An empty step agrees
    /// with any other. In a tie the first member is assumed to be right.
    void add(std::string member, std::string field, std::optional<std::int64_t> step,
             Counter counter = Counter::Step);

    /// One of the members is a loss scaler: there may be fewer updates than steps.
    void allowSkipped() { m_skips = true; }

    /// Adds a notice for each member that was saved at a different step than the majority, and
    /// marks the checkpoint as incomplete. False: some differ.
    bool report(CheckpointData& data) const;

private:
    struct Record {
        std::string member;
        std::string field;
        std::int64_t step = 0;
        Counter counter = Counter::Step;
    };
    /// The number that most members recorded, for one counter or for both.
    std::optional<std::int64_t> common(std::optional<Counter> counter) const;

    std::vector<Record> m_records;
    bool m_skips = false;
};

/// The count in a one-element tensor. Empty: not a count, or unreadable.
std::optional<std::int64_t> recordedStep(const Checkpoint& member, const TensorEntry& tensor);

/// The highest update count in an optimizer's states, from a limited number of states: `step` in
/// {"state": {0: {"step": …}}}, anywhere in the member. Empty: it has none (SGD), or is unreadable.
std::optional<std::int64_t> optimizerStep(const Checkpoint& member, const CancelToken& cancel = {});

/// Number of a scheduler's steps: "last_epoch" in the values, or below a key such as
/// "lr_scheduler". Empty: missing, or counting evaluations as ReduceLROnPlateau does.
std::optional<std::int64_t> schedulerCount(const Value& values);

/// The learning rates of an optimizer's groups ("lr" of "param_groups"), or those that a scheduler
/// set last ("_last_lr"), as stored. Empty: none.
std::vector<double> optimizerRates(const Value& values);
std::vector<double> schedulerRates(const Value& values);
/// Equal except for rounding errors.
bool sameRates(const std::vector<double>& left, const std::vector<double>& right);

/// Values of an optimizer and its scheduler, which were saved in separate files.
struct Schedule {
    std::string optimizer; ///< the file, for notices
    std::optional<std::int64_t> updates;
    std::vector<double> optimizerRates;
    std::string scheduler;
    std::optional<std::int64_t> counted;
    std::vector<double> schedulerRates;
    bool governs = false; ///< the trainer is known, and only the scheduler sets rates
};
/// Reports an optimizer whose learning rates differ from those that its scheduler set, if the
/// scheduler has stepped more often or `governs`. If it has stepped less often, it may count
/// epochs, and training loops may set rates, too.
void compareSchedule(CheckpointData& data, Schedule found);

} // namespace cairn::formats
