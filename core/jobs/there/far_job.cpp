// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/there/far_job.h"

#include "core/base/error_code_named.h"
#include "core/codec/json/json_value.h"
#include "core/plan/request_fields.h"
#include "core/plan/request_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn {
namespace {

std::string farTextOf(const JsonValue& object, std::string_view key) {
    const JsonValue* member = object.find(key);
    const auto text = member != nullptr ? member->asString() : Result<std::string_view>(Error());
    return text ? std::string(*text) : std::string();
}

std::uint64_t farNumberOf(const JsonValue& object, std::string_view key) {
    const JsonValue* member = object.find(key);
    const std::int64_t number = member != nullptr ? member->asInteger().value_or(0) : 0;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0));
}

bool farFlagOf(const JsonValue& object, std::string_view key) {
    const JsonValue* member = object.find(key);
    return member != nullptr && member->asBool().value_or(false);
}

/// A path of the host as a name here.
std::string named(const RemoteName& host, const std::string& path) {
    return path.starts_with('/') ? host.withPath(path) : path;
}

Error errorIn(const JsonValue& error, const RemoteName& host) {
    Error found =
        fail(errorCodeNamed(farTextOf(error, "code")), verbatim(farTextOf(error, "message")));
    found.found = verbatim(farTextOf(error, "found"));
    found.expected = verbatim(farTextOf(error, "expected"));
    found.hint = verbatim(farTextOf(error, "hint"));
    if (const JsonValue* where = error.find("where")) {
        found.where.file = named(host, farTextOf(*where, "file"));
        found.where.tensor = farTextOf(*where, "tensor");
        const JsonValue* offset = where->find("offset");
        if (offset != nullptr && offset->kind() == JsonKind::Integer) {
            found.where.offset = farNumberOf(*where, "offset");
        }
    }
    if (found.where.file.empty()) {
        found.where.file = host.account();
    }
    return found;
}

/// The document of printOutcome() of the command line (app/cli/job_output.h).
Result<JobReport> reportIn(const std::string& document, const RemoteName& host) {
    CAIRN_TRY(const JsonValue root, parseJson(document, host.account()));
    if (const JsonValue* error = root.find("error")) {
        return errorIn(*error, host);
    }
    const std::string output = farTextOf(root, "output");
    if (output.empty()) {
        return fail(ErrorCode::Io, "The work on the host ended without a result")
            .inFile(host.account());
    }
    JobReport report;
    report.output = named(host, output);
    report.tensors = farNumberOf(root, "tensors");
    report.bytes = farNumberOf(root, "bytes");
    report.sharedBytes = farNumberOf(root, "shared_bytes");
    report.verified = farFlagOf(root, "verified");
    report.published = farFlagOf(root, "published");
    report.doneBefore = farFlagOf(root, "done_before");
    report.manifest = named(host, farTextOf(root, "manifest"));
    report.signature = named(host, farTextOf(root, "signature"));
    if (const JsonValue* seconds = root.find("seconds")) {
        report.seconds = seconds->asReal().value_or(0);
    }
    if (const JsonValue* files = root.find("files")) {
        for (const JsonValue& file : files->elements()) {
            report.files.push_back(
                {farTextOf(file, "path"), farNumberOf(file, "bytes"), farTextOf(file, "sha256")});
        }
    }
    return report;
}

/// Bytes there are counted twice, for writing and for verifying, as in JobContext.
class FarCounters {
public:
    explicit FarCounters(JobContext& context) : m_context(context) {}

    void take(const FarProgress& state) {
        constexpr auto kPhases =
            std::to_array<JobPhase>({JobPhase::Waiting, JobPhase::Checking, JobPhase::Writing,
                                     JobPhase::Syncing, JobPhase::Verifying, JobPhase::Publishing});
        const auto* const phase = std::ranges::find(kPhases, state.phase, phaseName);
        if (phase != kPhases.end()) {
            m_context.setPhase(*phase);
        }
        const std::uint64_t total = state.total / 2;
        const std::uint64_t written = std::min(state.done, total);
        const std::uint64_t verified = std::min(state.done - written, total);
        m_context.setTotal(total);
        m_context.addWritten(written - std::min(written, m_written));
        m_context.addVerified(verified - std::min(verified, m_verified));
        m_written = std::max(m_written, written);
        m_verified = std::max(m_verified, verified);
    }

private:
    JobContext& m_context;
    std::uint64_t m_written = 0;
    std::uint64_t m_verified = 0;
};

} // namespace

std::optional<FarWork> farJob(const JobRequest& request) {
    std::vector<std::string> words = requestWords(request);
    std::vector<FarWord> named;
    for (std::size_t i = 1; i < words.size(); ++i) {
        FarWord word{"", words[i], false, false};
        const std::size_t equal =
            words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
        if (equal != std::string::npos) {
            const RequestField* field = findRequestField(words[i].substr(2, equal - 2));
            word = {words[i].substr(0, equal + 1), words[i].substr(equal + 1), false, false};
            word.isOutput = field != nullptr && field->letter == 'o';
            word.isInput = field != nullptr && field->value == FieldValue::Place && !word.isOutput;
        } else {
            word.isInput = !words[i].starts_with("--");
        }
        named.push_back(std::move(word));
    }
    return farWork(words.front(), std::move(named));
}

std::string hostOfJob(const JobRequest& request) {
    const auto work = farJob(request);
    return work ? work->host.account() : std::string();
}

Result<JobReport> runFarJob(const FarWork& work, JobContext& context) {
    context.log(sentence("Runs on %1", work.host.account()));
    std::string document;
    FarCounters counters(context);
    FarListener listener;
    listener.output = [&](std::string_view text) -> Result<void> {
        document += text;
        return {};
    };
    listener.progress = [&](const FarProgress& state) { counters.take(state); };
    listener.message = [&](std::string_view line) { context.log(verbatim(std::string(line))); };
    CAIRN_TRY(const int code, runFarWork(work, listener, context.token()));
    CAIRN_CHECK(context.token().check());
    auto report = reportIn(document, work.host);
    if (report && code != 0 && report->published && !report->verified) {
        return fail(ErrorCode::Io, "The work on the host ended without a result")
            .inFile(work.host.account())
            .butFound(sentence("exit code %1", code));
    }
    return report;
}

} // namespace cairn
