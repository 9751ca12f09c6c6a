// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/step_check.h"

#include "core/formats/common/members/step_agreement.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

namespace cairn::formats::huggingface {
namespace {

/// The step in a folder name from the Trainer: "checkpoint-20".
std::optional<std::int64_t> stepInName(const std::string& folder) {
    constexpr std::string_view kPrefix = "checkpoint-";
    std::int64_t step = 0;
    if (!folder.starts_with(kPrefix)) {
        return std::nullopt;
    }
    const char* end = folder.data() + folder.size();
    const auto [at, error] = std::from_chars(folder.data() + kPrefix.size(), end, step);
    return error == std::errc() && at == end ? std::optional(step) : std::nullopt;
}

class StepCheck {
public:
    StepCheck(CheckpointData& data, const OpenRequest& request, const SavedSteps& saved,
              std::span<const OpenedState> states)
        : m_data(data), m_request(request), m_saved(saved), m_states(states) {}

    void run() {
        if (m_saved.trainer) {
            m_steps.add("trainer_state.json", "global_step", m_saved.trainer);
            addName();
        }
        if (skipsUpdates()) {
            m_steps.allowSkipped();
        }
        for (const OpenedState& state : m_states) {
            if (state.stem.starts_with("optimizer") && !m_saved.deepSpeed) {
                addOptimizer(state);
            }
        }
        m_steps.report(m_data);
        compareRanks();
    }

private:
    /// Adds the folder's name, unless the content is consistent: then the folder was renamed.
    void addName() {
        const std::string folder = m_request.path.filename().string();
        const OpenedState* optimizer = find("optimizer");
        if (optimizer == nullptr || updatesOf(*optimizer) != m_saved.trainer) {
            m_steps.add(folder, "name", stepInName(folder));
        }
    }

    /// Cached: also needed for the folder's name.
    std::optional<std::int64_t> updatesOf(const OpenedState& optimizer) {
        const auto [known, isNew] = m_updates.try_emplace(&optimizer);
        if (isNew) {
            known->second = optimizerStep(*optimizer.checkpoint, m_request.cancel);
        }
        return known->second;
    }

    Value valuesOf(const OpenedState& state) const {
        const auto values = state.checkpoint->values(m_request.cancel);
        return values ? *values : Value();
    }

    const OpenedState* find(std::string_view stem) const {
        const auto found = std::ranges::find(m_states, stem, &OpenedState::stem);
        return found == m_states.end() ? nullptr : &*found;
    }

    /// float16 training uses a loss scaler, which older Trainers do not save.
    bool skipsUpdates() const {
        const OpenedState* arguments = find("training_args");
        const Value values = arguments != nullptr ? valuesOf(*arguments) : Value();
        const Value* half = values.find("fp16");
        return find("scaler") != nullptr ||
               (half != nullptr && half->asBool() != nullptr && *half->asBool());
    }

    /// Adds an optimizer and the scheduler with the same number.
    void addOptimizer(const OpenedState& optimizer) {
        const auto updates = updatesOf(optimizer);
        const bool only = optimizer.stem == "optimizer" && find("optimizer_1") == nullptr;
        if (m_saved.trainer && only) {
            m_steps.add(optimizer.name, "state.step", updates, Counter::Update);
        }
        const std::string number = optimizer.stem.substr(std::string_view("optimizer").size());
        const OpenedState* scheduler = find("scheduler" + number);
        const Value schedule = scheduler != nullptr ? valuesOf(*scheduler) : Value();
        const auto counted = schedulerCount(schedule);
        if (!updates && counted && m_saved.trainer && only &&
            !follows(*counted, *m_saved.trainer)) {
            m_steps.add(scheduler->name, "last_epoch", counted,
                        Counter::Update); // SGD has no count
        } else if (!updates && scheduler != nullptr && m_saved.trainer && only) {
            compareRates(optimizer, *scheduler, schedule);
        }
        if (counted && updates == counted && restarted(schedule, *counted)) {
            m_steps.allowSkipped();
        }
        if (!counted || !updates || follows(*counted, *updates)) {
            return;
        }
        if (m_saved.trainer && only) {
            m_steps.add(scheduler->name, "last_epoch", counted, Counter::Update);
        } else if (*counted > 0 && // at 0 it has not set a rate yet
                   !sameRates(optimizerRates(valuesOf(optimizer)), schedulerRates(schedule))) {
            StepAgreement pair;
            pair.add(optimizer.name, "state.step", updates, Counter::Update);
            pair.add(scheduler->name, "last_epoch", counted, Counter::Update);
            pair.report(m_data);
        }
    }

    /// For an optimizer without counts (SGD): the Trainer leaves its rates to the scheduler.
    void compareRates(const OpenedState& optimizer, const OpenedState& scheduler,
                      const Value& schedule) {
        const Value values = valuesOf(optimizer);
        const Value* groups = values.find("param_groups");
        const bool real = groups != nullptr && !groups->items().empty() &&
                          groups->items().front().value.find("momentum") != nullptr;
        if (real) { // others are placeholders for per-layer optimizers, whose rates are not
                    // available
            compareSchedule(m_data, {.optimizer = optimizer.name,
                                     .updates = std::nullopt,
                                     .optimizerRates = optimizerRates(values),
                                     .scheduler = scheduler.name,
                                     .counted = schedulerCount(schedule),
                                     .schedulerRates = schedulerRates(schedule),
                                     .governs = true});
        }
    }

    /// Whether training was restarted from weights only: the Trainer's step continues, but
    /// optimizer and scheduler start again. Then the scheduler's rate is about as close to the last
    /// logged rate as to the rates logged around its own step, which it does not match exactly. A
    /// constant schedule proves nothing.
    bool restarted(const Value& schedule, std::int64_t counted) const {
        const std::vector<double> rates = schedulerRates(schedule);
        const Value* bases = schedule.find("base_lrs");
        const bool known =
            bases != nullptr && !bases->items().empty() && !rates.empty() && m_saved.trainer;
        const auto base = known ? numberOf(bases->items().front().value) : std::nullopt;
        const auto last = known ? loggedAt(*m_saved.trainer) : std::nullopt;
        if (!base || !last || sameRates({rates.front()}, {*base})) {
            return false;
        }
        // Trainers log a step's rate before or after the scheduler's step.
        const double off = std::min(std::abs(*loggedAt(counted) - rates.front()),
                                    std::abs(*loggedAt(counted + 1) - rates.front()));
        return off > 1e-9 * std::abs(*base) && std::abs(*last - rates.front()) <= off * (1 + 1e-6);
    }

    /// The learning rate logged at a step, or interpolated between logged steps.
    std::optional<double> loggedAt(std::int64_t step) const {
        const auto after = m_saved.rates.lower_bound(step);
        if (m_saved.rates.empty()) {
            return std::nullopt;
        }
        if (after == m_saved.rates.end() || after == m_saved.rates.begin() ||
            after->first == step) {
            return after == m_saved.rates.end() ? std::prev(after)->second : after->second;
        }
        const auto before = std::prev(after);
        const double part = static_cast<double>(step - before->first) /
                            static_cast<double>(after->first - before->first);
        return before->second + part * (after->second - before->second);
    }

    /// Whether the scheduler's count matches; with accelerate it may count once for each rank.
    bool follows(std::int64_t counted, std::int64_t updates) const {
        return counted == updates || (m_saved.ranks > 1 && counted == updates * m_saved.ranks);
    }

    /// accelerate stores the number of accumulation steps in each rank's random states.
    void compareRanks() {
        StepAgreement ranks;
        for (const OpenedState& state : m_states) {
            if (state.stem.starts_with("random_states_")) {
                const Value values = valuesOf(state);
                const Value* step = values.find("step");
                const std::int64_t* number = step != nullptr ? step->asInt() : nullptr;
                ranks.add(state.name, "step",
                          number != nullptr ? std::optional(*number) : std::nullopt);
            }
        }
        ranks.report(m_data);
    }

    CheckpointData& m_data;
    const OpenRequest& m_request;
    const SavedSteps& m_saved;
    std::span<const OpenedState> m_states;
    StepAgreement m_steps;
    std::map<const OpenedState*, std::optional<std::int64_t>> m_updates;
};

} // namespace

void checkSteps(CheckpointData& data, const OpenRequest& request, const SavedSteps& saved,
                std::span<const OpenedState> states) {
    StepCheck(data, request, saved, states).run();
}

} // namespace cairn::formats::huggingface
