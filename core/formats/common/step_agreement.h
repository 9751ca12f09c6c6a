// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Whether the members of one checkpoint were saved at the same step.
namespace cairn::formats {

/// What a recorded number counts. Updates are the optimizer's own: where a loss scaler is in use, it skips some steps.
enum class Counter : std::uint8_t { Step, Update };

/// Collects the step that each member recorded and reports those that differ. Plain data; one thread.
///
///     StepAgreement steps;
///     steps.add("trainer_state.json", "global_step", 20);
///     steps.add("optimizer.pt", "state.step", optimizerStep(*member, cancel), Counter::Update);
///     steps.report(data); // notices of ErrorCode::MixedSteps: `check` says "mixed", a consolidation stops
class StepAgreement {
public:
    /// `member`: the file, as its notice names it; `field`: where in it. Nothing: the member records none, and is of any
    /// save. The first member is believed where the others are divided equally.
    void add(std::string member, std::string field, std::optional<std::int64_t> step, Counter counter = Counter::Step);

    /// A loss scaler is among the members: updates may be fewer than steps.
    void allowSkipped() { m_skips = true; }

    /// Adds a notice for each member that was saved at another step than most, and makes the checkpoint incomplete then.
    /// False: some differ.
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

/// The most updates that an optimizer's states recorded, of as many states as are worth reading: `step` of
/// {"state": {0: {"step": …}}}, wherever that lies in the member. Nothing: it counts none (SGD), or cannot be read.
std::optional<std::int64_t> optimizerStep(const Checkpoint& member, const CancelToken& cancel = {});

/// The learning rates that an optimizer's groups are set to ("lr" of "param_groups"), or that a scheduler set last
/// ("_last_lr"), as they stand. Empty: none.
std::vector<double> optimizerRates(const Value& values);
std::vector<double> schedulerRates(const Value& values);

} // namespace cairn::formats
