// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/headline.h"

#include "core/io/path_kind.h"
#include "core/model/names/file_names.h"
#include "core/runs/facts/checkpoint_metrics.h"
#include "core/runs/history/history.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr std::size_t kMostRows = 1'000'000;
constexpr std::size_t kMostNumbers = 32;
constexpr std::string_view kRate = "learning_rate";

/// The file of the checkpoint from which a value was read: the one whose stem begins the field,
/// else the only file.
std::filesystem::path fileOf(const Checkpoint& checkpoint, std::string_view field) {
    const std::string_view stem = field.substr(0, field.find('.'));
    const CheckpointFile* only =
        checkpoint.files().size() == 1 ? &checkpoint.files().front() : nullptr;
    for (const CheckpointFile& file : checkpoint.files()) {
        if (std::filesystem::path(file.path).stem() == stem) {
            only = &file;
            break;
        }
    }
    return only != nullptr && isFolderPath(checkpoint.path()) ? checkpoint.path() / only->path
                                                              : checkpoint.path();
}

class Headline {
public:
    Headline(const Checkpoint& checkpoint, const Value& values, const TrainingPosition& position)
        : m_checkpoint(checkpoint), m_values(values), m_position(position) {}

    std::vector<HeadlineNumber> read() {
        if (const Value* state = m_values.find("trainer_state")) {
            addRows(state->find("log_history"), "trainer_state.log_history");
        }
        addRows(m_values.find("log_history"), "log_history");
        for (HeldNumber& held : heldNumbers(m_checkpoint, m_values)) {
            addHeld(std::move(held));
        }
        addLists(m_values, "");
        for (const char* key : {"history", "metrics", "logs"}) {
            if (const Value* lists = m_values.find(key)) {
                addLists(*lists, key + std::string("."));
            }
        }
        std::ranges::stable_sort(m_numbers, {},
                                 [](const HeadlineNumber& each) { return metricRank(each.name); });
        return std::move(m_numbers);
    }

private:
    HeadlineNumber* find(std::string_view name) {
        const auto at = std::ranges::find(m_numbers, name, &HeadlineNumber::name);
        return at != m_numbers.end() ? &*at : nullptr;
    }

    [[nodiscard]] std::optional<Number> step() const {
        return m_position.step ? std::optional(Number(*m_position.step)) : std::nullopt;
    }

    void add(std::string name, double value, Evidence evidence) {
        if (m_numbers.size() < kMostNumbers) {
            m_numbers.push_back({std::move(name), decide<double>({{value, std::move(evidence)}})});
        }
    }

    [[nodiscard]] Evidence evidenceOfRow(Place place) const {
        return place.step == step()
                   ? Evidence{Strength::Recorded, "row-at-step", "the log's row at its step",
                              std::move(place)}
                   : Evidence{Strength::Named, "row-before-step",
                              "the log's latest row before its step", std::move(place)};
    }

    /// A Trainer's log: rows of several kinds, each with its step.
    void addRows(const Value* log, const std::string& field) {
        if (log == nullptr || log->kind() != ValueKind::List) {
            return;
        }
        const std::filesystem::path file = fileOf(m_checkpoint, field);
        std::uint64_t row = 0;
        for (const ValueItem& each : log->items()) {
            if (row > kMostRows) {
                return;
            }
            const Value* at = each.value.find("step");
            const std::optional<Number> rowStep = at != nullptr ? stepOf(*at) : std::nullopt;
            if (rowStep && (!step() || *rowStep <= *step())) {
                addRow(each.value, {.file = file,
                                    .field = field + "." + std::to_string(row),
                                    .row = row,
                                    .step = rowStep});
            }
            ++row;
        }
    }

    [[nodiscard]] std::optional<Number> stepOf(const Value& value) const {
        if (const std::int64_t* whole = value.asInt()) {
            return Number(*whole);
        }
        const auto number = numberOf(m_checkpoint, value);
        return number ? std::optional(Number(*number)) : std::nullopt;
    }

    void addRow(const Value& row, const Place& from) {
        for (const ValueItem& item : row.items()) {
            const std::string* name = item.key.asString();
            if (name == nullptr || isBestName(*name) ||
                (*name != kRate && *name != "grad_norm" && !looksLikeMetric(*name))) {
                continue;
            }
            const auto number = numberOf(m_checkpoint, item.value);
            if (!number) {
                continue;
            }
            Place place = from;
            place.field += "." + *name;
            HeadlineNumber* known = find(*name);
            if (known == nullptr) {
                add(*name, *number, evidenceOfRow(std::move(place)));
            } else if (*place.step >= *known->from().step) {
                known->number = decide<double>({{*number, evidenceOfRow(std::move(place))}});
            }
        }
    }

    void addHeld(HeldNumber held) {
        const bool isRate = held.name == "lr";
        if (isRate) {
            held.name = kRate;
        }
        if (isBestName(held.name) || held.name == "optimizer step") {
            return;
        }
        HeadlineNumber* known = find(held.name);
        Evidence evidence{
            isRate ? Strength::Recorded : Strength::Named,
            isRate ? "value-at-save" : "value-in-values",
            isRate ? Sentence("the optimizer's value when it was saved")
                   : Sentence("a value in it, assumed to be that of its step"),
            {.file = fileOf(m_checkpoint, held.field), .field = held.field, .step = step()}};
        if (known == nullptr) {
            add(std::move(held.name), held.value, std::move(evidence));
        } else if (isRate && known->from().step != step()) {
            known->number = decide<double>({{held.value, std::move(evidence)}});
        } else if (!isRate && known->number.isBy("row-at-step") && !isSame(held.value, *known)) {
            known->number.against.push_back(std::move(evidence));
        }
    }

    /// Logs round to a few digits.
    static bool isSame(double held, const HeadlineNumber& known) {
        constexpr double kDigits = 1e-3;
        const double value = known.value();
        return std::abs(held - value) <= std::abs(value) * kDigits ||
               (std::isnan(held) && std::isnan(value));
    }

    /// {"loss": [0.9, 0.7]}: the last value, if there is one for each epoch or step.
    void addLists(const Value& dict, const std::string& prefix) {
        for (const ValueItem& item : dict.items()) {
            const std::string* name = item.key.asString();
            const auto list = item.value.items();
            if (name == nullptr || item.value.kind() != ValueKind::List || list.empty() ||
                isBestName(*name) || !looksLikeMetric(*name) || find(*name) != nullptr ||
                !isAsLongAsTraining(list.size())) {
                continue;
            }
            const std::uint64_t last = list.size() - 1;
            if (const auto number = numberOf(m_checkpoint, list.back().value)) {
                const std::string field = prefix + *name;
                add(*name, *number,
                    {Strength::Named,
                     "last-of-list",
                     "the last value of a list that is as long as the training",
                     {.file = fileOf(m_checkpoint, field),
                      .field = field + "." + std::to_string(last),
                      .row = last,
                      .step = step()}});
            }
        }
    }

    [[nodiscard]] bool isAsLongAsTraining(std::size_t length) const {
        const auto count = static_cast<double>(length);
        const auto fits = [&](const std::optional<Number>& done) {
            return done && (count == *done || count == *done + 1); // epochs may be counted from 0
        };
        return fits(m_position.epoch) || fits(step());
    }

    const Checkpoint& m_checkpoint;
    const Value& m_values;
    const TrainingPosition& m_position;
    std::vector<HeadlineNumber> m_numbers;
};

} // namespace

std::vector<HeadlineNumber> headlineOf(const Checkpoint& checkpoint, const Value& values,
                                       const TrainingPosition& position) {
    return Headline(checkpoint, values, position).read();
}

} // namespace cairn
