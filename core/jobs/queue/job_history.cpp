// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/job_history.h"

#include "core/base/stored_sentence.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <unistd.h>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kOutcomes = {"done", "failed", "stopped"};

std::string documentOf(const EndedJob& job) {
    const Json json = {{"schema", "cairn/1"},
                       {"outcome", std::string(outcomeName(job.outcome))},
                       {"command", job.command},
                       {"source", job.source.string()},
                       {"output", job.output.string()},
                       {"tensors", job.tensors},
                       {"bytes", job.bytes},
                       {"verified", job.verified},
                       {"milliseconds", static_cast<std::int64_t>(job.seconds * 1000)},
                       {"ended", job.ended},
                       {"message", job.message.text()},
                       {"messageForm", storedForm(job.message)},
                       {"stamp", job.stamp},
                       {"process", job.process}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::uint64_t countIn(const JsonValue& json, std::string_view key) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(numberIn(json, key), 0));
}

std::optional<EndedJob> jobOf(const RecordFolder::Record& record) {
    const JsonValue& json = record.json;
    const auto outcome = std::ranges::find(kOutcomes, textIn(json, "outcome"));
    EndedJob job;
    job.id = record.name;
    job.command = textsIn(json, "command");
    job.source = textIn(json, "source");
    job.output = textIn(json, "output");
    job.tensors = countIn(json, "tensors");
    job.bytes = countIn(json, "bytes");
    job.seconds = static_cast<double>(countIn(json, "milliseconds")) / 1000;
    job.ended = numberIn(json, "ended");
    job.message = restoredSentence(textIn(json, "message"), textIn(json, "messageForm"));
    job.stamp = textIn(json, "stamp");
    job.process = numberIn(json, "process");
    const JsonValue* verified = json.find("verified");
    job.verified = verified != nullptr && verified->asBool().value_or(false);
    if (outcome == kOutcomes.end() || !job.output.is_absolute()) {
        return std::nullopt;
    }
    job.outcome = static_cast<JobOutcome>(outcome - kOutcomes.begin());
    return job;
}

} // namespace

std::string_view outcomeName(JobOutcome outcome) {
    return kOutcomes.at(static_cast<std::size_t>(outcome));
}

Result<void> JobHistory::add(FileOps& fileOps, EndedJob job) const {
    using std::chrono::nanoseconds;
    const auto now =
        std::chrono::duration_cast<nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    job.ended = now / 1'000'000'000;
    job.process = ::getpid();
    job.id = std::to_string(now) + "-" + std::to_string(job.process); // in order of time
    CAIRN_CHECK(m_records.put(fileOps, job.id, documentOf(job)));
    const std::vector<RecordFolder::Record> all = m_records.list();
    for (std::size_t i = 0; i + kMost < all.size(); ++i) {
        m_records.remove(fileOps, all[i].name);
    }
    return {};
}

std::vector<EndedJob> JobHistory::list() const {
    std::vector<EndedJob> jobs;
    for (const RecordFolder::Record& record : m_records.list()) {
        if (auto job = jobOf(record)) {
            jobs.push_back(std::move(*job));
        }
    }
    std::ranges::reverse(jobs); // the records are in order of time, to the nanosecond
    jobs.resize(std::min(jobs.size(), kMost));
    return jobs;
}

void JobHistory::clear(FileOps& fileOps) const {
    for (const RecordFolder::Record& record : m_records.list()) {
        m_records.remove(fileOps, record.name);
    }
}

} // namespace cairn
