// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/step_agreement.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/model/element.h"
#include "core/model/single_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

namespace cairn::formats {
namespace {

constexpr std::size_t kMaxStates = 16; ///< states read per optimizer
constexpr double kMaxStep = 9e15;

std::optional<std::int64_t> wholeStep(double number) {
    return std::isfinite(number) && number >= 0 && number < kMaxStep
               ? std::optional(static_cast<std::int64_t>(std::llround(number)))
               : std::nullopt;
}

bool isStepTensor(const TensorEntry& tensor) {
    const bool single = tensor.shape.empty() || (tensor.shape.size() == 1 && tensor.shape[0] == 1);
    return single && hasNumericElements(tensor.dtype) && tensor.name.ends_with(".step");
}

/// The largest value of the tensors named "….step"; reads at most kMaxStates of them, including the
/// first and the last.
std::optional<std::int64_t> largestStepTensor(const Checkpoint& member, const CancelToken& cancel) {
    std::vector<const TensorEntry*> steps;
    for (const TensorEntry& tensor : member.tensors()) {
        if (isStepTensor(tensor)) {
            steps.push_back(&tensor);
        }
    }
    std::optional<std::int64_t> largest;
    const std::size_t reads = std::min(kMaxStates, steps.size());
    for (std::size_t i = 0; i < reads && !cancel.cancelled(); ++i) {
        const std::size_t at = reads == 1 ? 0 : i * (steps.size() - 1) / (reads - 1);
        const auto step = recordedStep(member, *steps[at]);
        largest = step && (!largest || *step > *largest) ? step : largest;
    }
    return largest;
}

/// From plain numbers: {"state": {0: {"step": 10}}}, or apex's {"param_groups": [{"step": 10}]}.
std::optional<std::int64_t> largestPlainStep(const Value& values) {
    std::optional<std::int64_t> largest;
    for (const std::string_view list : {"state", "param_groups"}) {
        const Value* states = values.find(list);
        std::size_t seen = 0;
        for (const ValueItem& state :
             states != nullptr ? states->items() : std::vector<ValueItem>()) {
            const Value* step = state.value.find("step");
            const auto number = step != nullptr ? numberOf(*step) : std::nullopt;
            const auto whole = number ? wholeStep(*number) : std::nullopt;
            largest = whole && (!largest || *whole > *largest) ? whole : largest;
            if (++seen >= kMaxStates) {
                break;
            }
        }
    }
    return largest;
}

Sentence stepText(std::int64_t step, Counter counter) {
    switch (counter) {
    case Counter::Step:
        return sentence("step %1", step);
    case Counter::Update:
        return sentence("update %1", step);
    case Counter::Epoch:
        return sentence("epoch %1", step);
    case Counter::Other:
        break;
    }
    return sentence("%1", step);
}

} // namespace

void StepAgreement::add(std::string member, std::string field, std::optional<std::int64_t> step,
                        Counter counter) {
    if (step) {
        m_records.push_back({std::move(member), std::move(field), *step, counter});
    }
}

std::optional<std::int64_t> StepAgreement::common(std::optional<Counter> counter) const {
    const auto counts = [&](const Record& record) {
        return !counter || record.counter == *counter;
    };
    std::map<std::int64_t, std::size_t> votes;
    std::optional<std::int64_t> best;
    for (const Record& record : m_records) {
        if (counts(record)) {
            ++votes[record.step];
        }
    }
    for (const Record& record : m_records) {
        if (counts(record) && (!best || votes[record.step] > votes[*best])) {
            best = record.step;
        }
    }
    return best;
}

bool StepAgreement::report(CheckpointData& data) const {
    const auto steps = common(Counter::Step);
    const auto updates = common(Counter::Update);
    const bool skipped = steps && updates && m_skips && *updates < *steps;
    const auto all = common(std::nullopt);
    bool agree = true;
    for (const Record& record : m_records) {
        const std::int64_t expected = !skipped                            ? *all
                                      : record.counter == Counter::Update ? *updates
                                                                          : *steps;
        if (record.step == expected) {
            continue;
        }
        agree = false;
        const bool isOfSteps = record.counter == Counter::Update && steps && !skipped;
        addNotice(
            data, Severity::Error,
            fail(ErrorCode::MixedSteps, "This part was saved at a different step than the rest")
                .inFile(record.member)
                .inField(record.field)
                .butFound(stepText(record.step, record.counter))
                .expecting(stepText(expected, isOfSteps ? Counter::Step : record.counter))
                .withHint("Restore the files of a single save"));
    }
    if (!agree) {
        markIncomplete(data, "The folder mixes parts of different steps");
    }
    return agree;
}

std::optional<std::int64_t> recordedStep(const Checkpoint& member, const TensorEntry& tensor) {
    const auto number = singleNumber(member, tensor);
    return number ? wholeStep(*number) : std::nullopt;
}

std::optional<std::int64_t> optimizerStep(const Checkpoint& member, const CancelToken& cancel) {
    if (const auto step = largestStepTensor(member, cancel)) {
        return step;
    }
    const auto values = member.values(cancel);
    return values ? largestPlainStep(*values) : std::nullopt;
}

std::optional<std::int64_t> schedulerCount(const Value& values) {
    const auto countIn = [](const Value& scheduler) -> std::optional<std::int64_t> {
        const Value* last = scheduler.find("last_epoch");
        const bool plateau = scheduler.find("num_bad_epochs") != nullptr;
        const std::int64_t* count = last != nullptr && !plateau ? last->asInt() : nullptr;
        return count != nullptr && *count >= 0 ? std::optional(*count) : std::nullopt;
    };
    if (const auto own = countIn(values)) {
        return own;
    }
    for (const std::string_view name : {"lr_scheduler", "scheduler"}) {
        const Value* inner = values.find(name);
        if (const auto count = inner != nullptr ? countIn(*inner) : std::nullopt) {
            return count;
        }
    }
    return std::nullopt;
}

std::vector<double> optimizerRates(const Value& values) {
    std::vector<double> rates;
    const Value* groups = values.find("param_groups");
    for (const ValueItem& group : groups != nullptr ? groups->items() : std::vector<ValueItem>()) {
        const Value* rate = group.value.find("lr");
        if (const auto number = rate != nullptr ? numberOf(*rate) : std::nullopt) {
            rates.push_back(*number);
        }
    }
    return rates;
}

std::vector<double> schedulerRates(const Value& values) {
    std::vector<double> rates;
    const Value* last = values.find("_last_lr");
    for (const ValueItem& rate : last != nullptr ? last->items() : std::vector<ValueItem>()) {
        if (const auto number = numberOf(rate.value)) {
            rates.push_back(*number);
        }
    }
    return rates;
}

bool sameRates(const std::vector<double>& left, const std::vector<double>& right) {
    return std::ranges::equal(left, right, [](double a, double b) {
        return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
    });
}

void compareSchedule(CheckpointData& data, Schedule found) {
    const bool ahead = found.updates && found.counted && *found.counted > *found.updates;
    if (found.optimizerRates.empty() || found.schedulerRates.empty() || !(ahead || found.governs) ||
        sameRates(found.optimizerRates, found.schedulerRates)) {
        return;
    }
    const auto text = [](double rate, std::optional<std::int64_t> count) {
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), "%g", rate);
        return count ? sentence("%1 after step %2", amount(number.data()), *count)
                     : sentence("%1", amount(number.data()));
    };
    addNotice(
        data, Severity::Error,
        fail(ErrorCode::MixedSteps, "The optimizer's learning rate does not match its scheduler's")
            .inFile(std::move(found.optimizer))
            .inField("lr")
            .butFound(text(found.optimizerRates.front(), found.updates))
            .expecting(sentence("%1 as in %2", text(found.schedulerRates.front(), found.counted),
                                found.scheduler))
            .withHint("Restore the files of a single save"));
    markIncomplete(data, "The folder mixes parts of different steps");
}

} // namespace cairn::formats
