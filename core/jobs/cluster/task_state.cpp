// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/task_state.h"

#include "core/codec/json/json_value.h"
#include "core/jobs/context/record_folder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr std::size_t kMostIndexes = 1'000'000;

std::optional<std::size_t> wholeNumber(std::string_view text) {
    std::size_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()
               ? std::optional(value)
               : std::nullopt;
}

/// "0,3-5": each number; none if the text has another form.
std::optional<std::vector<std::size_t>> numbersIn(std::string_view text) {
    std::vector<std::size_t> numbers;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view range = text.substr(0, comma);
        const std::size_t dash = std::min(range.find('-'), range.size());
        const auto first = wholeNumber(range.substr(0, dash));
        const auto end = dash < range.size() ? wholeNumber(range.substr(dash + 1)) : first;
        if (!first || !end || *end < *first || *end - *first > kMostIndexes ||
            numbers.size() > kMostIndexes) {
            return std::nullopt;
        }
        for (std::size_t number = *first; number <= *end; ++number) {
            numbers.push_back(number);
        }
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return numbers;
}

/// The task numbers of "4" and "[5-8%2]"; none: another form.
std::optional<std::vector<std::size_t>> taskNumbers(std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']')) {
        text = text.substr(1, text.size() - 2);
        text = text.substr(0, text.find('%'));
    }
    return numbersIn(text);
}

std::vector<std::string_view> cellsOf(std::string_view line) {
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t bar = line.find('|');
        cells.push_back(line.substr(0, bar));
        if (bar == line.npos) {
            return cells;
        }
        line.remove_prefix(bar + 1);
    }
}

std::string_view withoutBlanks(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlank);
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool isActiveState(TaskState state) {
    return state == TaskState::Waiting || state == TaskState::Running;
}

} // namespace

std::string_view taskStateName(TaskState state) {
    static constexpr std::array<std::string_view, 6> kNames = {"unknown", "waiting", "running",
                                                               "done",    "failed",  "cancelled"};
    return kNames.at(static_cast<std::size_t>(state));
}

bool ReportedArray::isActive() const {
    return (last && isActiveState(last->state)) || std::ranges::any_of(tasks, [](const auto& task) {
               return isActiveState(task.second.state);
           });
}

TaskState slurmState(std::string_view word) {
    using State = std::pair<std::string_view, TaskState>;
    static constexpr auto kStates = std::to_array<State>({
        {"PENDING", TaskState::Waiting},       {"CONFIGURING", TaskState::Waiting},
        {"REQUEUED", TaskState::Waiting},      {"REQUEUE_FED", TaskState::Waiting},
        {"REQUEUE_HOLD", TaskState::Waiting},  {"SPECIAL_EXIT", TaskState::Waiting},
        {"RESV_DEL_HOLD", TaskState::Waiting}, {"RUNNING", TaskState::Running},
        {"COMPLETING", TaskState::Running},    {"SUSPENDED", TaskState::Running},
        {"STOPPED", TaskState::Running},       {"SIGNALING", TaskState::Running},
        {"STAGE_OUT", TaskState::Running},     {"RESIZING", TaskState::Running},
        {"COMPLETED", TaskState::Done},        {"CANCELLED", TaskState::Cancelled},
        {"REVOKED", TaskState::Cancelled},     {"BOOT_FAIL", TaskState::Failed},
        {"DEADLINE", TaskState::Failed},       {"FAILED", TaskState::Failed},
        {"NODE_FAIL", TaskState::Failed},      {"OUT_OF_MEMORY", TaskState::Failed},
        {"PREEMPTED", TaskState::Failed},      {"TIMEOUT", TaskState::Failed},
    });
    const std::string_view first = word.substr(0, word.find_first_of(" +"));
    const auto found = std::ranges::find(kStates, first, &State::first);
    return found == kStates.end() ? TaskState::Unknown : found->second;
}

bool addSlurmLines(std::string_view text, std::string_view array, std::string_view last,
                   ReportedArray& reported) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = withoutBlanks(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) {
            continue;
        }
        const std::vector<std::string_view> cells = cellsOf(line);
        if (cells.size() < 2) {
            return false;
        }
        const std::string_view job = cells[0];
        const std::string_view why = cells.size() > 2 ? cells[2] : std::string_view();
        const bool says = why != "None" && why != "0:0";
        ReportedTask task{slurmState(cells[1]), std::string(cells[1]),
                          std::string(says ? why : std::string_view())};
        const std::size_t under = std::min(job.find('_'), job.size());
        if (job.find('.') != job.npos) {
            continue; // a step of a task
        }
        if (under == job.size() && job == last && !reported.last) {
            reported.last = std::move(task);
        } else if (job.substr(0, under) == array && under < job.size()) {
            const auto numbers = taskNumbers(job.substr(under + 1));
            if (!numbers) {
                return false;
            }
            for (const std::size_t number : *numbers) {
                reported.tasks.emplace(number, task);
            }
        }
    }
    return true;
}

std::optional<SlurmId> parseSlurmId(std::string_view text) {
    // Sites print notices before it.
    text = withoutBlanks(text);
    const std::size_t line = text.rfind('\n');
    text = withoutBlanks(line == text.npos ? text : text.substr(line + 1));
    const std::size_t semicolon = std::min(text.find(';'), text.size());
    const std::string_view id = text.substr(0, semicolon);
    if (!wholeNumber(id)) {
        return std::nullopt;
    }
    return SlurmId{std::string(id), std::string(text.substr(std::min(semicolon + 1, text.size())))};
}

std::optional<ReportedArray> readKubernetesJob(std::string_view text, std::size_t tasks) {
    const auto json = parseJson(text, "kubectl");
    const JsonValue* status = json ? json->find("status") : nullptr;
    if (status == nullptr || textIn(*json, "kind") != "Job") {
        return std::nullopt;
    }
    const auto done = numbersIn(textIn(*status, "completedIndexes"));
    const auto failed = numbersIn(textIn(*status, "failedIndexes"));
    if (!done || !failed) {
        return std::nullopt;
    }
    // Which of the others run is not part of this document: as many of them as are active.
    bool ended = false;
    std::string reason;
    for (const JsonValue& condition : status->find("conditions")
                                          ? status->find("conditions")->elements()
                                          : std::span<const JsonValue>()) {
        const std::string type = textIn(condition, "type");
        if (textIn(condition, "status") == "True" && (type == "Failed" || type == "Complete")) {
            ended = true;
            reason = textIn(condition, "reason");
        }
    }
    const auto active = numberIn(*status, "active");
    ReportedArray reported;
    for (std::size_t task = 1; task <= tasks; ++task) {
        ReportedTask& each = reported.tasks[task];
        if (std::ranges::binary_search(*done, task - 1)) {
            each = {TaskState::Done, "Completed", {}};
        } else if (std::ranges::binary_search(*failed, task - 1) || ended) {
            each = {TaskState::Failed, "Failed", reason};
        } else {
            each = {active > 0 ? TaskState::Running : TaskState::Waiting,
                    active > 0 ? "Active" : "Pending",
                    {}};
        }
    }
    return reported;
}

} // namespace cairn
