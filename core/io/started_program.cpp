// SPDX-License-Identifier: Apache-2.0
#include "core/io/started_program.h"

#include "core/io/system_error.h"

#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>
#include <utility>

extern char** environ; // NOLINT(readability-redundant-declaration)

namespace cairn {
namespace {

/// Above the numbers to which files are moved in the program, so that none overwrites another.
constexpr int kAboveMoved = 10;

std::vector<char*> argumentsOf(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) {
        arguments.push_back(const_cast<char*>(word.c_str())); // posix_spawn does not change it
    }
    arguments.push_back(nullptr);
    return arguments;
}

} // namespace

StartedProgram& StartedProgram::operator=(StartedProgram&& other) noexcept {
    if (this != &other) {
        end();
        m_pid = std::exchange(other.m_pid, -1);
    }
    return *this;
}

int StartedProgram::wait() {
    int status = 0;
    while (m_pid > 0 && ::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    return status;
}

void StartedProgram::signal(int number) const {
    if (m_pid > 0) {
        ::kill(m_pid, number);
    }
}

void StartedProgram::end() {
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        wait();
    }
}

int exitCodeOf(int waitStatus) {
    return WIFSIGNALED(waitStatus) ? 128 + WTERMSIG(waitStatus) : WEXITSTATUS(waitStatus);
}

Result<Pipe> openPipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return systemError(errno, "No pipe could be opened");
    }
    return Pipe{FileHandle(ends[0]), FileHandle(ends[1])};
}

Result<StartedProgram> startProgram(const ProgramStart& start) {
    const std::vector<char*> arguments = argumentsOf(start.words);
    std::vector<FileHandle> moved;
    for (const int file : start.files) {
        moved.emplace_back(file < 0 ? -1 : ::fcntl(file, F_DUPFD_CLOEXEC, kAboveMoved));
        if (file >= 0 && !moved.back().valid()) {
            return systemError(errno, "The program could not be started").inFile(start.program);
        }
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (moved[i].valid()) {
            ::posix_spawn_file_actions_adddup2(&actions, moved[i].fd(), static_cast<int>(i));
        } else {
            ::posix_spawn_file_actions_addclose(&actions, static_cast<int>(i));
        }
    }
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
    std::array<char*, 1> nothing = {nullptr};
    const int error =
        ::posix_spawnp(&pid, start.program.c_str(), &actions, &attributes, arguments.data(),
                       start.emptyEnvironment ? nothing.data() : environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (error == 0) {
        return StartedProgram(pid);
    }
    return systemError(error, error == ENOENT ? Sentence("The program is not installed here")
                                              : Sentence("The program could not be started"))
        .inFile(start.program);
}

} // namespace cairn
