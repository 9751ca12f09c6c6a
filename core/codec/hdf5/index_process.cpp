// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/index_process.h"

#include "core/base/own_folders.h"
#include "core/codec/hdf5/confine.h"
#include "core/codec/hdf5/index_program.h"

#include <sys/auxv.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>
#include <vector>

namespace cairn::hdf5 {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{1} << 30U;
constexpr auto kMaxTime = std::chrono::seconds(60);

#ifdef CAIRN_STATIC
/// This program, which has both roles: "/proc/self/exe" opens it even if it was replaced since it
/// was started; the kernel's record of its start is used where /proc is not mounted.
std::filesystem::path indexProgram() {
    constexpr const char* kSelf = "/proc/self/exe";
    const auto* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    return ::access(kSelf, X_OK) == 0 || started == nullptr ? kSelf : started;
}
#else
/// Beside this program or module (in a build folder), or in the libexec folder (installed). If it
/// is missing: where it is expected.
std::filesystem::path indexProgram() {
    const std::vector<std::filesystem::path> folders = ownFolders();
    for (const std::filesystem::path& folder : folders) {
        for (const auto& path :
             {folder / kIndexProgram, folder.parent_path() / "libexec" / "cairn" / kIndexProgram}) {
            if (::access(path.c_str(), X_OK) == 0) {
                return path;
            }
        }
    }
    return folders.empty() ? std::filesystem::path(kIndexProgram) : folders.front() / kIndexProgram;
}
#endif

std::filesystem::path programPath() {
    const char* named = std::getenv("CAIRN_HDF5_INDEX");
    return named != nullptr && *named != '\0' ? std::filesystem::path(named) : indexProgram();
}

/// A child process; the destructor kills it and waits for it.
class Process {
public:
    Process(pid_t pid, int output) : m_pid(pid), m_output(output) {}
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        ::close(m_output);
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            wait();
        }
    }
    [[nodiscard]] int output() const { return m_output; }
    int wait() {
        int status = 0;
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
        }
        m_pid = -1;
        return status;
    }

private:
    pid_t m_pid;
    int m_output;
};

pid_t start(const std::filesystem::path& program, int descriptor, int output, ByteRange range) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addclose(&actions, 0); // a minimal system has no /dev/null
    ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    ::posix_spawn_file_actions_addclose(&actions, 2);
    ::posix_spawn_file_actions_adddup2(&actions, descriptor, 3);
    std::string offset = std::to_string(range.offset);
    std::string length = std::to_string(range.length);
    std::string role = kIndexProgram; // also selects it in a program that has several
    const std::array<char*, 4> arguments = {role.data(), offset.data(), length.data(), nullptr};
    const std::array<char*, 1> environment = {nullptr};
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments.data(),
                                    environment.data());
    ::posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? pid : -1;
}

Error unreadable(const std::string& name, Sentence what) {
    return fail(ErrorCode::Hdf5Unreadable, "The HDF5 library cannot read this file")
        .inFile(name)
        .butFound(std::move(what));
}

/// Describes the process's exit status.
Sentence reasonOf(int status, const std::string& text) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return "it exceeded the processor time for a file of this size";
    }
    if (WIFSIGNALED(status)) {
        return sentence("it crashed or violated its sandbox: signal %1", WTERMSIG(status));
    }
    if (WEXITSTATUS(status) == kRefusedCall) {
        const std::string call = text.substr(text.rfind('\n') + 1);
        const bool number = !call.empty() && call.size() < 12 &&
                            call.find_first_not_of("0123456789") == std::string::npos;
        return sentence("it made system call %1, which its sandbox forbids", number ? call : "?");
    }
    return WEXITSTATUS(status) == 4 ? Sentence("incomplete HDF5 file")
                                    : "it could not parse the file";
}

Result<void> readAll(const Process& process, std::string& text, const std::string& name,
                     const CancelToken& cancel) {
    const auto ends = std::chrono::steady_clock::now() + kMaxTime;
    std::array<char, 65536> buffer{};
    for (;;) {
        CAIRN_CHECK(cancel.check());
        pollfd waiting{process.output(), POLLIN, 0};
        const int ready = ::poll(&waiting, 1, 50);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            if (std::chrono::steady_clock::now() > ends) {
                return unreadable(name, "no result within a minute");
            }
            continue;
        }
        const ssize_t got = ::read(process.output(), buffer.data(), buffer.size());
        if (got == 0) {
            return {};
        }
        if (got < 0 && errno != EINTR) {
            return unreadable(name, "no response");
        }
        text.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (text.size() > kMaxOutput) {
            return fail(ErrorCode::LimitExceeded, "The file has more objects than can be shown")
                .inFile(name);
        }
    }
}

} // namespace

Result<std::string> runIndexProcess(int descriptor, ByteRange range, const std::string& name,
                                    const CancelToken& cancel) {
    const std::filesystem::path program = programPath();
    if (::access(program.c_str(), X_OK) != 0) {
        return fail(ErrorCode::Unsupported, "The program that reads HDF5 files is missing")
            .inFile(name)
            .expecting(verbatim(program.string()))
            .withHint("Reinstall Cairn: a file of it is missing");
    }
    // 10: above the numbers that the child's files are moved to; 3 itself may be an open file of
    // this process.
    const int file = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
    std::array<int, 2> ends{-1, -1};
    if (file < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
        ::close(file);
        return unreadable(name, "too many open files");
    }
    const int high = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    ::close(ends[1]);
    const pid_t pid = start(program, file, high, range);
    ::close(file);
    ::close(high);
    Process process(pid, ends[0]);
    if (pid < 0) {
        return unreadable(name, "cannot start cairn-hdf5-index");
    }
    std::string text;
    CAIRN_CHECK(readAll(process, text, name, cancel));
    const int status = process.wait();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return unreadable(name, reasonOf(status, text));
    }
    return text;
}

} // namespace cairn::hdf5
