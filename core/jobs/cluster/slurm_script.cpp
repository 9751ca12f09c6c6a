// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/slurm_script.h"

#include <algorithm>

namespace cairn {
namespace {

/// The signal that announces the time limit, and the seconds before it. scancel and the end of a
/// node send SIGTERM, so that a cancelled task is not put into the queue again.
constexpr std::string_view kWarning = "B:USR1@120";

std::string replacedAll(std::string_view text, char from, std::string_view to) {
    std::string out;
    for (const char each : text) {
        out += each == from ? std::string(to) : std::string(1, each);
    }
    return out;
}

/// The value of an option in a line of #SBATCH, a file pattern in which % begins a number.
std::string patternValue(const std::string& path, std::string_view pattern) {
    return "\"" + replacedAll(replacedAll(path, '%', "%%"), '"', "\\\"") + std::string(pattern) +
           "\"";
}

/// For names in the scheduler's lists.
std::string plainName(std::string_view text) {
    std::string out;
    for (const char each : text) {
        const bool plain = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
                           (each >= '0' && each <= '9') || each == '.' || each == '-' ||
                           each == '_';
        out += plain ? each : '_';
    }
    return out.substr(0, 60);
}

Result<void> checkPath(const std::filesystem::path& path, const char* option) {
    const std::string text = path.string();
    const bool control = std::ranges::any_of(
        text, [](char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7f; });
    if (control || text.find('\\') != text.npos || !path.is_absolute()) {
        return fail(ErrorCode::InvalidArgument, "Slurm cannot use this path")
            .inField(option)
            .butFound(verbatim(text))
            .expecting("an absolute path without line breaks and backslashes");
    }
    return {};
}

std::string minutes(std::uint64_t seconds) {
    return std::to_string(std::max<std::uint64_t>(1, (seconds + 59) / 60));
}

std::string directive(std::string_view option) {
    return "#SBATCH " + std::string(option) + "\n";
}

std::string head(const SlurmSubmission& job, std::string_view suffix, std::uint64_t seconds,
                 const std::string& log) {
    const std::uint64_t megabytes = (job.needs.memoryBytes + (1U << 20U) - 1) >> 20U;
    return directive("--job-name=cairn-" + plainName(job.name) + std::string(suffix)) +
           directive("--mem=" + std::to_string(megabytes) + "M") +
           directive("--time=" + minutes(seconds)) + directive("--requeue") +
           directive("--signal=" + std::string(kWarning)) + directive("--open-mode=append") +
           directive("--output=" + log);
}

/// Runs the program as a child, because a shell that waits gets signals.
std::string body(const SlurmSubmission& job, const std::string& task, const std::string& document) {
    return R"sh(
# Slurm announces the time limit with USR1: stop, keep what is written, and continue from there.
again=
child=
trap 'again=yes; kill -TERM "$child" 2>/dev/null' USR1
trap 'kill -TERM "$child" 2>/dev/null' TERM INT
)sh" + shellWord(job.program.string()) +
           " job run - --task " + task + " --progress=none <<'CAIRN-JOB' &\n" + document +
           "\nCAIRN-JOB\n" + R"sh(child=$!
while :; do
    wait "$child"
    code=$?
    kill -0 "$child" 2>/dev/null || break
done
if [ -n "$again" ] && [ "$code" -ne 0 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 16 ]; then
    echo "The time limit is near: this task is put into the queue again."
    scontrol requeue "$SLURM_JOB_ID" && sleep 300
fi
exit "$code"
)sh";
}

} // namespace

std::string shellWord(std::string_view text) {
    return "'" + replacedAll(text, '\'', "'\\''") + "'";
}

std::filesystem::path slurmLog(const std::filesystem::path& logs, std::size_t task) {
    return logs / ("task-" + std::to_string(task) + ".log");
}

std::filesystem::path slurmLastLog(const std::filesystem::path& logs) {
    return logs / "last.log";
}

Result<SlurmScripts> slurmScripts(const SlurmSubmission& submission) {
    CAIRN_CHECK(checkPath(submission.logs, "--logs"));
    CAIRN_CHECK(checkPath(submission.program, "--program"));
    CAIRN_TRY(const std::string document, arrayDocument(submission.job));
    const std::string logs = submission.logs.string();
    SlurmScripts scripts;
    scripts.array =
        "#!/bin/sh\n" +
        head(submission, "", submission.needs.taskSeconds, patternValue(logs, "/task-%a.log")) +
        directive("--array=1-" + std::to_string(submission.job.tasks())) +
        body(submission, "\"$SLURM_ARRAY_TASK_ID\"", document);
    scripts.last =
        "#!/bin/sh\n" +
        head(submission, "-last", submission.needs.lastSeconds, patternValue(logs, "/last.log")) +
        body(submission, "last", document);
    return scripts;
}

} // namespace cairn
