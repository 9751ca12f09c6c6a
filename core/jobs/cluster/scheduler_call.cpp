// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/scheduler_call.h"

#include <algorithm>

namespace cairn {
namespace {

/// The last line that is not empty, or the first one of an error: what a person needs.
std::string messageOf(std::string_view text) {
    constexpr std::size_t kMost = 400;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.remove_suffix(1);
    }
    const std::size_t line = text.rfind('\n');
    return std::string((line == text.npos ? text : text.substr(line + 1)).substr(0, kMost));
}

} // namespace

Result<ProgramOutput> callScheduler(const std::vector<std::string>& words, const std::string& input,
                                    const CancelToken& cancel) {
    auto done = runProgram({words, input}, cancel);
    if (!done && done.error().code == ErrorCode::NotFound) {
        return fail(ErrorCode::NotFound, "The scheduler's command is not installed here")
            .butFound(sentence("no %1 in PATH", words.front()))
            .withHint(words.front() == "kubectl"
                          ? Sentence("Use --dry-run to print the manifest, and submit it where "
                                     "kubectl is")
                          : Sentence("Run this on a login node of the cluster, or use --dry-run to "
                                     "print the scripts"));
    }
    return done;
}

Result<void> checkAccepted(const std::vector<std::string>& words, const ProgramOutput& done) {
    if (done.code == 0) {
        return {};
    }
    const std::string message = messageOf(done.errors.empty() ? done.output : done.errors);
    return fail(ErrorCode::Io, "The scheduler refused the request")
        .butFound(message.empty() ? sentence("%1 ended with exit code %2", words.front(), done.code)
                                  : sentence("%1: %2", words.front(), message))
        .withHint("Options for the scheduler follow after `--`: account, partition, time, memory");
}

Error notUnderstood(const std::string& program, const ProgramOutput& done) {
    return fail(ErrorCode::Io, "The scheduler's answer has an unknown form")
        .butFound(sentence("%1: %2", program, messageOf(done.output)))
        .withHint("The scheduler's own commands show the state of the job");
}

std::filesystem::path ownProgram() {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path beside = self.parent_path() / "cairn-cli"; // of the window
    return std::filesystem::exists(beside, error) ? beside : self;
}

} // namespace cairn
