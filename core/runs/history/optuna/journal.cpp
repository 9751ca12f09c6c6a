// SPDX-License-Identifier: Apache-2.0
//
// optuna/storages/journal/_storage.py: one operation per line, which every process replays. Trials
// are numbered in the order of their creation, in their study and over all studies; operations on a
// trial that is finished, or does not exist, are ignored.
#include "core/runs/history/optuna/journal.h"

#include "core/base/endian.h"
#include "core/base/number_text.h"
#include "core/codec/json/json_value.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/file_runs.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/optuna/trial_values.h"

#include <array>
#include <cmath>
#include <map>
#include <string>

namespace cairn::history::optuna {
namespace {

enum Operation : std::int64_t {
    CreateStudy = 0,
    DeleteStudy = 1,
    CreateTrial = 4,
    SetParameter = 5,
    SetState = 6,
    SetIntermediate = 7,
    SetUserAttribute = 8,
};
constexpr auto kStates = std::to_array<std::string_view>(
    {"RUNNING", "COMPLETE", "PRUNED", "FAIL", "WAITING"}); ///< optuna/trial/_state.py
constexpr std::int64_t kRunning = 0;
constexpr std::int64_t kComplete = 1;
constexpr std::int64_t kWaiting = 4;
constexpr std::size_t kMaxTrials = FileRuns::kMaxRuns;
constexpr std::size_t kMaxItems = 1000; ///< parameters or attributes of a trial

struct Study {
    std::string name;
    std::vector<std::int64_t> directions; ///< 1: minimize, 2: maximize
    std::int64_t trials = 0;
    bool isDeleted = false;
};

struct Trial {
    std::size_t study = 0;
    std::int64_t number = 0;
    std::int64_t state = kRunning;
    std::vector<ValueItem> parameters = {};
    std::vector<ValueItem> attributes = {};
    std::vector<double> values = {};
    std::vector<std::pair<Number, double>> intermediate = {}; ///< step and value
    std::map<Number, std::size_t> places = {};                ///< in `intermediate`, by step
    [[nodiscard]] bool isFinished() const { return state != kRunning && state != kWaiting; }
};

std::optional<std::int64_t> integerIn(const JsonValue& json, std::string_view key) {
    const JsonValue* member = json.find(key);
    const auto number = member != nullptr ? member->asInteger() : Result<std::int64_t>(Error());
    return number ? std::optional(*number) : std::nullopt;
}

/// Null is NaN, which Optuna's JSON has for it.
double numberOf(const JsonValue& json) {
    const auto number = json.asReal();
    return number ? *number : kNothing;
}

class Journal {
public:
    Journal(ByteSourcePtr source, const CancelToken& cancel) : m_lines(std::move(source), cancel) {}

    Result<void> replay() {
        while (m_lines.next()) {
            const std::string_view line = trimmedText(m_lines.line());
            const auto json =
                line.empty() ? Result<JsonValue>(Error()) : parseJson(line, "journal");
            const auto code = json ? integerIn(*json, "op_code") : std::nullopt;
            if (code) {
                apply(static_cast<Operation>(*code), *json);
            } else if (!line.empty()) {
                (m_lines.ended() ? m_broken : m_cutOff).add(m_lines.offset());
            }
        }
        if (!m_lines.status() && m_lines.status().error().code == ErrorCode::Cancelled) {
            return m_lines.status().error();
        }
        return {};
    }

    /// Trials that were not started are not runs.
    void addTo(FileRuns& runs) const {
        for (std::size_t i = 0; i < m_trials.size(); ++i) {
            const Trial& trial = m_trials[i];
            if (trial.state != kWaiting && !m_studies[trial.study].isDeleted) {
                runs.add(trialId(static_cast<std::int64_t>(i)),
                         m_studies[trial.study].name + "/" + std::to_string(trial.number));
            }
        }
        runs.arrange(false);
    }

    void fill(FileRuns& runs, HistoryPart& part) {
        for (std::size_t i = 0; i < m_trials.size(); ++i) {
            FileRuns::Run* run = runs.find(trialId(static_cast<std::int64_t>(i)));
            if (run != nullptr) {
                fill(runs, *run, m_trials[i], part);
            }
        }
        m_broken.report(part.warnings, ErrorCode::HistoryBadRow,
                        "Lines that are not operations were skipped", {}, "lines");
        m_cutOff.report(part.warnings, ErrorCode::Truncated, "The last line is truncated", {},
                        "line", Severity::Info);
        for (Notice& notice : m_lines.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        part.bytes = m_lines.bytesRead();
    }

private:
    void apply(Operation operation, const JsonValue& json) {
        if (operation == CreateStudy) {
            createStudy(json);
        } else if (operation == DeleteStudy) {
            const auto study = studyOf(json);
            if (study) {
                m_studies[*study].isDeleted = true;
            }
        } else if (operation == CreateTrial) {
            createTrial(json);
        } else if (Trial* trial = openTrialOf(json)) {
            change(*trial, operation, json);
        }
    }

    void createStudy(const JsonValue& json) {
        Study study{textIn(json, "study_name"), {}};
        for (const Study& other : m_studies) {
            if (!other.isDeleted && other.name == study.name) {
                return;
            }
        }
        const JsonValue* directions = json.find("directions");
        for (const JsonValue& each :
             directions != nullptr ? directions->elements() : std::span<const JsonValue>()) {
            const auto direction = each.asInteger();
            study.directions.push_back(direction ? *direction : 0);
        }
        if (m_studies.size() < kMaxTrials) {
            m_studies.push_back(std::move(study));
        }
    }

    [[nodiscard]] std::optional<std::size_t> studyOf(const JsonValue& json) const {
        const auto id = integerIn(json, "study_id");
        const bool isKnown = id && *id >= 0 && static_cast<std::size_t>(*id) < m_studies.size() &&
                             !m_studies[static_cast<std::size_t>(*id)].isDeleted;
        return isKnown ? std::optional(static_cast<std::size_t>(*id)) : std::nullopt;
    }

    /// A trial that was added complete has everything in this operation.
    void createTrial(const JsonValue& json) {
        const auto study = studyOf(json);
        if (!study || m_trials.size() >= kMaxTrials) {
            return;
        }
        Trial trial{*study, m_studies[*study].trials++};
        trial.state = integerIn(json, "state").value_or(kRunning);
        const JsonValue* parameters = json.find("params");
        const JsonValue* distributions = json.find("distributions");
        for (const JsonMember& each :
             parameters != nullptr ? parameters->members() : std::span<const JsonMember>()) {
            setParameter(trial, each.key, numberOf(each.value),
                         distributions != nullptr ? textIn(*distributions, each.key) : "");
        }
        setValues(trial, json);
        if (const JsonValue* value = json.find("value"); value != nullptr && !value->isNull()) {
            trial.values = {numberOf(*value)};
        }
        const JsonValue* steps = json.find("intermediate_values");
        for (const JsonMember& each :
             steps != nullptr ? steps->members() : std::span<const JsonMember>()) {
            setIntermediate(trial,
                            {numberOfText(each.key).value_or(kNothing), restOfText(each.key)},
                            each.value);
        }
        setAttributes(trial, json.find("user_attrs"));
        m_trials.push_back(std::move(trial));
    }

    Trial* openTrialOf(const JsonValue& json) {
        const auto id = integerIn(json, "trial_id");
        const bool isKnown = id && *id >= 0 && static_cast<std::size_t>(*id) < m_trials.size();
        Trial* trial = isKnown ? &m_trials[static_cast<std::size_t>(*id)] : nullptr;
        return trial != nullptr && !trial->isFinished() && !m_studies[trial->study].isDeleted
                   ? trial
                   : nullptr;
    }

    static void change(Trial& trial, Operation operation, const JsonValue& json) {
        if (operation == SetParameter) {
            const JsonValue* stored = json.find("param_value_internal");
            setParameter(trial, textIn(json, "param_name"),
                         stored != nullptr ? numberOf(*stored) : kNothing,
                         textIn(json, "distribution"));
        } else if (operation == SetState) {
            trial.state = integerIn(json, "state").value_or(trial.state);
            setValues(trial, json);
        } else if (operation == SetIntermediate) {
            const JsonValue* step = json.find("step");
            const JsonValue* value = json.find("intermediate_value");
            if (step != nullptr && value != nullptr) {
                setIntermediate(trial, step->asNumber().value_or(kNothing), *value);
            }
        } else if (operation == SetUserAttribute) {
            setAttributes(trial, json.find("user_attr"));
        }
    }

    static void setParameter(Trial& trial, const std::string& name, double stored,
                             const std::string& distribution) {
        setItem(trial.parameters, name, parameterOf(stored, distribution));
    }

    static void setItem(std::vector<ValueItem>& items, const std::string& name, Value value) {
        for (ValueItem& item : items) {
            if (*item.key.asString() == name) {
                item.value = std::move(value);
                return;
            }
        }
        if (items.size() < kMaxItems) { // searched linearly
            items.push_back({Value(name), std::move(value)});
        }
    }

    static void setValues(Trial& trial, const JsonValue& json) {
        const JsonValue* values = json.find("values");
        if (values == nullptr || values->kind() != JsonKind::Array) {
            return;
        }
        trial.values.clear();
        for (const JsonValue& each : values->elements()) {
            trial.values.push_back(numberOf(each));
        }
    }

    static void setIntermediate(Trial& trial, const Number& step, const JsonValue& value) {
        if (step.isNothing()) {
            return;
        }
        const auto [place, isNew] = trial.places.emplace(step, trial.intermediate.size());
        if (isNew) {
            trial.intermediate.emplace_back(step, kNothing);
        }
        trial.intermediate[place->second].second = numberOf(value);
    }

    static void setAttributes(Trial& trial, const JsonValue* json) {
        for (const JsonMember& each :
             json != nullptr ? json->members() : std::span<const JsonMember>()) {
            setItem(trial.attributes, each.key, valueOf(each.value));
        }
    }

    void fill(FileRuns& runs, FileRuns::Run& run, Trial& trial, HistoryPart& part) {
        for (const auto& [step, value] : trial.intermediate) {
            runs.addPoint(run, kIntermediate, RowPlace{step}, value);
        }
        const std::vector<std::int64_t>& directions = m_studies[trial.study].directions;
        RowPlace unplaced{0};
        unplaced.stepFrom = StepsFrom::Count;
        for (std::size_t i = 0; i < trial.values.size(); ++i) {
            runs.addPoint(run, valueName(directions.size(), static_cast<std::int64_t>(i)), unplaced,
                          trial.values[i]);
        }
        run.settings = std::move(trial.parameters);
        if (!trial.attributes.empty()) {
            run.settings.push_back({Value("user_attrs"), Value::dict(std::move(trial.attributes))});
        }
        if (runs.size() == 1) {
            addGoals(directions, part);
            noteState(trial, part);
        }
    }

    static void addGoals(const std::vector<std::int64_t>& directions, HistoryPart& part) {
        for (std::size_t i = 0; i < directions.size(); ++i) {
            const names::Direction better = directions[i] == 1   ? names::Direction::Smaller
                                            : directions[i] == 2 ? names::Direction::Larger
                                                                 : names::Direction::Unknown;
            if (better == names::Direction::Unknown) {
                continue;
            }
            part.goals.push_back(
                {valueName(directions.size(), static_cast<std::int64_t>(i)), better, true});
            if (directions.size() == 1) {
                part.goals.push_back({std::string(kIntermediate), better, true});
            }
        }
    }

    static void noteState(const Trial& trial, HistoryPart& part) {
        if (trial.state != kComplete && trial.state >= 0 &&
            static_cast<std::size_t>(trial.state) < kStates.size()) {
            part.warnings.push_back(
                {Severity::Info,
                 fail(ErrorCode::BeingWritten, "The trial did not complete, according to Optuna")
                     .butFound(
                         verbatim(std::string(kStates[static_cast<std::size_t>(trial.state)])))});
        }
    }

    LineReader m_lines;
    std::vector<Study> m_studies;
    std::vector<Trial> m_trials;
    Damage m_broken;
    Damage m_cutOff;
};

} // namespace

bool isJournal(std::span<const std::byte> head) {
    const std::string_view text = asText(head);
    if (!text.starts_with("{\"op_code\"")) {
        return false;
    }
    const auto first = parseJson(text.substr(0, text.find('\n')), "journal");
    return first && integerIn(*first, "op_code") && !textIn(*first, "worker_id").empty();
}

Result<HistoryPart> readJournal(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    Journal journal(std::move(source), cancel);
    CAIRN_CHECK(journal.replay());
    FileRuns runs(candidate.run);
    journal.addTo(runs);
    HistoryPart part;
    journal.fill(runs, part);
    runs.finish(part);
    return part;
}

Result<std::vector<HeldRun>> listJournal(const HistoryCandidate& candidate,
                                         const CancelToken& cancel) {
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    Journal journal(std::move(source), cancel);
    CAIRN_CHECK(journal.replay());
    FileRuns runs({});
    journal.addTo(runs);
    return runs.list();
}

} // namespace cairn::history::optuna
