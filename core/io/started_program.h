// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

namespace cairn {

/// How a program is started. It is given a list of arguments, never through a shell, so that no
/// character of an argument has a meaning.
struct ProgramStart {
    std::string program;            ///< a name in PATH or a path
    std::vector<std::string> words; ///< argv, beginning with the name by which it is called
    /// Its first descriptors: files[i] becomes i; -1: closed. Borrowed.
    std::vector<int> files;
    bool emptyEnvironment = false; ///< otherwise that of this process
};

/// A running program, which the destructor kills and reaps. Movable; not thread-safe.
class StartedProgram {
public:
    StartedProgram() = default;
    explicit StartedProgram(pid_t pid) : m_pid(pid) {}
    StartedProgram(StartedProgram&& other) noexcept : m_pid(std::exchange(other.m_pid, -1)) {}
    StartedProgram& operator=(StartedProgram&& other) noexcept;
    ~StartedProgram() { end(); }

    /// Waits for its end: the status of waitpid().
    int wait();
    void signal(int number) const; ///< nothing if it has ended
    void end();                    ///< kills it

private:
    pid_t m_pid = -1;
};

/// Starts a program. Signals that this process ignores or blocks have their usual effect in it.
/// Any thread. Fails: NotFound if there is no such program, Io.
Result<StartedProgram> startProgram(const ProgramStart& start);

/// As a shell reports it: the exit code; 128 + the number of the signal that ended it.
int exitCodeOf(int waitStatus);

struct Pipe {
    FileHandle read;
    FileHandle write;
};
/// Both ends are closed in programs that are started.
Result<Pipe> openPipe();

} // namespace cairn
