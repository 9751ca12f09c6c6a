// SPDX-License-Identifier: Apache-2.0
#include "core/io/run_program.h"

#include "core/io/file_ops.h"
#include "core/io/system_error.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration)

namespace cairn {
namespace {

constexpr std::size_t kMaxProgramOutput = std::size_t{64} << 20U;

/// A started program; the destructor kills it if it still runs.
class StartedProgram {
public:
    explicit StartedProgram(pid_t pid) : m_pid(pid) {}
    StartedProgram(const StartedProgram&) = delete;
    StartedProgram& operator=(const StartedProgram&) = delete;
    ~StartedProgram() {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            wait();
        }
    }
    int wait() {
        int status = 0;
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
        }
        m_pid = -1;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    pid_t m_pid;
};

/// A file in memory with this content, to be read from its start.
Result<FileHandle> inputFile(std::string_view content) {
    FileHandle file(::memfd_create("input", MFD_CLOEXEC));
    while (file.valid() && !content.empty()) {
        const ssize_t put = ::write(file.fd(), content.data(), content.size());
        if (put < 0 && errno != EINTR) {
            return systemError(errno, "The input of a program could not be stored");
        }
        content.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(put, 0)));
    }
    if (!file.valid() || ::lseek(file.fd(), 0, SEEK_SET) != 0) {
        return systemError(errno, "The input of a program could not be stored");
    }
    return file;
}

struct Pipe {
    FileHandle read;
    FileHandle write;
};

Result<Pipe> openPipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return systemError(errno, "No pipe could be opened");
    }
    return Pipe{FileHandle(ends[0]), FileHandle(ends[1])};
}

/// Signals that this process ignores have their usual effect in the program. The three files
/// become its first ones, whatever their numbers are here.
Result<pid_t> start(const std::vector<std::string>& words, int input, int output, int errors) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) {
        arguments.push_back(const_cast<char*>(word.c_str())); // posix_spawn does not change it
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, input, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions, errors, 2);
    sigset_t usual;
    sigset_t none;
    ::sigemptyset(&usual);
    ::sigemptyset(&none);
    for (const int number : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM}) {
        ::sigaddset(&usual, number);
    }
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, words.front().c_str(), &actions, &attributes,
                                     arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (error == 0) {
        return pid;
    }
    return systemError(error, error == ENOENT ? Sentence("The program is not installed here")
                                              : Sentence("The program could not be started"))
        .inFile(words.front());
}

/// Moves what can be read to `text`; false at the end of the file.
bool readSome(const FileHandle& file, std::string& text) {
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(file.fd(), buffer.data(), buffer.size());
    if (got > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return got > 0 || (got < 0 && errno == EINTR);
}

Result<void> readBoth(const ProgramCall& call, FileHandle& output, FileHandle& errors,
                      ProgramOutput& done, const CancelToken& cancel) {
    const auto ends = std::chrono::steady_clock::now() + call.most;
    while (output.valid() || errors.valid()) {
        CAIRN_CHECK(cancel.check());
        if (std::chrono::steady_clock::now() > ends) {
            return fail(ErrorCode::Io, "The program did not finish in time")
                .inFile(call.words.front())
                .butFound(sentence("no end after %1 s", call.most.count()))
                .withHint("Try again later");
        }
        std::array<pollfd, 2> waiting{
            {{output.fd(), POLLIN, 0}, {errors.fd(), POLLIN, 0}}}; // -1 is ignored
        if (::poll(waiting.data(), waiting.size(), 50) <= 0) {
            continue;
        }
        if (waiting[0].revents != 0 && !readSome(output, done.output)) {
            output = FileHandle();
        }
        if (waiting[1].revents != 0 && !readSome(errors, done.errors)) {
            errors = FileHandle();
        }
        if (done.output.size() + done.errors.size() > kMaxProgramOutput) {
            return fail(ErrorCode::LimitExceeded, "The program wrote too much")
                .inFile(call.words.front());
        }
    }
    return {};
}

} // namespace

Result<ProgramOutput> runProgram(const ProgramCall& call, const CancelToken& cancel) {
    CAIRN_TRY(FileHandle input, inputFile(call.input));
    CAIRN_TRY(Pipe output, openPipe());
    CAIRN_TRY(Pipe errors, openPipe());
    // above the numbers to which they are moved in the program: none overwrites another
    const auto above = [](const FileHandle& file) {
        return FileHandle(::fcntl(file.fd(), F_DUPFD_CLOEXEC, 10));
    };
    const FileHandle in = above(input);
    FileHandle out = above(output.write);
    FileHandle err = above(errors.write);
    if (!in.valid() || !out.valid() || !err.valid()) {
        return systemError(errno, "The program could not be started").inFile(call.words.front());
    }
    CAIRN_TRY(const pid_t pid, start(call.words, in.fd(), out.fd(), err.fd()));
    StartedProgram program(pid);
    for (FileHandle* own : {&output.write, &errors.write, &out, &err}) {
        *own = FileHandle(); // those of the program are left, so that its end can be seen
    }
    ProgramOutput done;
    CAIRN_CHECK(readBoth(call, output.read, errors.read, done, cancel));
    done.code = program.wait();
    return done;
}

} // namespace cairn
