// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/submission_registry.h"

#include "core/io/user_folder.h"
#include "core/jobs/engine/journal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRecordedTasks = 20'000;

std::int64_t secondsNow() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string submissionName(const Submission& submission) {
    std::string name = std::string(schedulerName(submission.scheduler)) + "-" + submission.id;
    for (const std::string& option : submission.options) {
        name += "-" + option;
    }
    std::ranges::replace_if(
        name,
        [](char each) {
            return !((each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
                     (each >= '0' && each <= '9') || each == '-');
        },
        '_');
    return name.substr(0, 120);
}

std::string submissionDocument(const Submission& submission) {
    Json items = Json::array();
    for (const ArrayJob::Item& item : submission.job.items) {
        items.push_back(
            {{"command", item.command}, {"digest", item.digest}, {"output", item.output.string()}});
    }
    Json json = {{"schema", "cairn/1"},
                 {"scheduler", schedulerName(submission.scheduler)},
                 {"id", submission.id},
                 {"last", submission.last},
                 {"options", submission.options},
                 {"jobs", std::move(items)},
                 {"parts", submission.job.parts},
                 {"last_step", submission.job.leavesLastStep},
                 {"logs", submission.logs.string()},
                 {"began", submission.began}};
    if (submission.taskBytes.size() <= kMostRecordedTasks) {
        json["task_bytes"] = submission.taskBytes;
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Submission> submissionOf(const JsonValue& json) {
    Submission submission;
    const std::string scheduler = textIn(json, "scheduler");
    if (scheduler != "slurm" && scheduler != "kubernetes") {
        return std::nullopt;
    }
    submission.scheduler = scheduler == "slurm" ? Scheduler::Slurm : Scheduler::Kubernetes;
    submission.id = textIn(json, "id");
    submission.last = textIn(json, "last");
    submission.options = textsIn(json, "options");
    submission.logs = textIn(json, "logs");
    submission.began = numberIn(json, "began");
    const JsonValue* items = json.find("jobs");
    for (const JsonValue& item : items ? items->elements() : std::span<const JsonValue>()) {
        submission.job.items.push_back(
            {textsIn(item, "command"), textIn(item, "digest"), textIn(item, "output")});
    }
    const std::int64_t parts = numberIn(json, "parts");
    const JsonValue* last = json.find("last_step");
    submission.job.leavesLastStep = last != nullptr && last->asBool().value_or(false);
    if (submission.id.empty() || submission.job.items.empty() || parts < 1) {
        return std::nullopt;
    }
    submission.job.parts = static_cast<std::size_t>(parts);
    const JsonValue* bytes = json.find("task_bytes");
    for (const JsonValue& each : bytes ? bytes->elements() : std::span<const JsonValue>()) {
        submission.taskBytes.push_back(each.asUnsigned().value_or(0));
    }
    if (submission.taskBytes.size() != submission.job.tasks()) {
        submission.taskBytes.clear();
    }
    return submission;
}

} // namespace

std::string_view schedulerName(Scheduler scheduler) {
    return scheduler == Scheduler::Slurm ? "slurm" : "kubernetes";
}

SubmissionRegistry::SubmissionRegistry(fs::path folder) : m_records(std::move(folder)) {}

fs::path SubmissionRegistry::defaultFolder() {
    const fs::path state = userFolder("XDG_STATE_HOME", ".local/state");
    return state.empty() ? state : state / "cluster";
}

Result<void> SubmissionRegistry::add(FileOps& fileOps, const Submission& submission) const {
    Submission dated = submission;
    dated.began = secondsNow();
    CAIRN_CHECK(m_records.put(fileOps, submissionName(dated), submissionDocument(dated)));
    const std::vector<Submission> all = list();
    for (std::size_t i = 0; i + kMost < all.size(); ++i) {
        m_records.remove(fileOps, submissionName(all[i]));
    }
    return {};
}

std::vector<Submission> SubmissionRegistry::list() const {
    std::vector<Submission> all;
    for (const RecordFolder::Record& record : m_records.list()) {
        if (auto submission = submissionOf(record.json)) {
            all.push_back(std::move(*submission));
        }
    }
    std::ranges::stable_sort(all, {}, &Submission::began);
    return all;
}

Result<Submission> SubmissionRegistry::find(const std::string& id) const {
    std::vector<Submission> all = list();
    std::erase_if(all, [&](const Submission& each) {
        return !id.empty() && each.id != id && each.last != id;
    });
    if (all.empty()) {
        return fail(ErrorCode::NotFound, "No such submission")
            .butFound(id.empty() ? Sentence("no submitted job") : verbatim(id))
            .withHint("`cairn-cli submit` prints the id of what it submits");
    }
    if (id.empty() && all.size() > 1) {
        std::string ids;
        for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 10); ++i) {
            ids += (i == 0 ? "" : ", ") + all[all.size() - 1 - i].id;
        }
        return fail(ErrorCode::InvalidArgument, "Several jobs were submitted")
            .butFound(sentence("%1 submissions", all.size()))
            .expecting(sentence("the id of one; the newest are %1", ids));
    }
    return std::move(all.back());
}

Result<fs::path> SubmissionRegistry::makeLogs(FileOps& fileOps, const ArrayJob& job) const {
    if (m_records.path().empty()) {
        return fail(ErrorCode::NotFound, "The user has no state folder for the logs")
            .withHint("Name one with --logs");
    }
    const fs::path logs =
        m_records.path() / (job.items.front().digest.substr(0, kJobIdLength) + "-" +
                            std::to_string(secondsNow()) + "-" + std::to_string(::getpid()));
    CAIRN_CHECK(openUserFolder(fileOps, logs));
    return logs;
}

} // namespace cairn
