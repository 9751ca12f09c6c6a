// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/index_process.h"

#include "core/base/own_folders.h"
#include "core/codec/hdf5/confine.h"
#include "core/codec/hdf5/index_program.h"
#include "core/io/started_program.h"

#include <sys/auxv.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <poll.h>
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

Error unreadable(const std::string& name, Sentence what) {
    return fail(ErrorCode::Hdf5Unreadable, "The HDF5 library cannot read this file")
        .inFile(name)
        .butFound(std::move(what));
}

/// Describes the process's exit status.
Sentence reasonOf(int status, const std::string& text, IndexRole role) {
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
    if (role == IndexRole::Layout) {
        return "it could not make a file with these datasets";
    }
    return WEXITSTATUS(status) == 4 ? Sentence("incomplete HDF5 file")
                                    : "it could not parse the file";
}

Result<void> readAll(int output, std::string& text, const std::string& name,
                     const CancelToken& cancel) {
    const auto ends = std::chrono::steady_clock::now() + kMaxTime;
    std::array<char, 65536> buffer{};
    for (;;) {
        CAIRN_CHECK(cancel.check());
        pollfd waiting{output, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, 50);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            if (std::chrono::steady_clock::now() > ends) {
                return unreadable(name, "no result within a minute");
            }
            continue;
        }
        const ssize_t got = ::read(output, buffer.data(), buffer.size());
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
                                    const CancelToken& cancel, IndexRole role) {
    const std::filesystem::path program = programPath();
    if (::access(program.c_str(), X_OK) != 0) {
        return fail(ErrorCode::Unsupported, "The program that reads HDF5 files is missing")
            .inFile(name)
            .expecting(verbatim(program.string()))
            .withHint("Reinstall Cairn: a file of it is missing");
    }
    auto output = openPipe();
    if (!output) {
        return unreadable(name, "too many open files");
    }
    // The role also selects it in a program that has several. Input and messages are closed: a
    // minimal system has no /dev/null.
    std::vector<std::string> words = {kIndexProgram, std::to_string(range.offset),
                                      std::to_string(range.length)};
    if (role == IndexRole::Layout) {
        words.emplace_back(kLayoutRole);
    }
    auto process = startProgram(
        {program.string(), std::move(words), {-1, output->write.fd(), -1, descriptor}, true});
    output->write = FileHandle();
    if (!process) {
        return unreadable(name, "cannot start cairn-hdf5-index");
    }
    std::string text;
    CAIRN_CHECK(readAll(output->read.fd(), text, name, cancel));
    const int status = process->wait();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return unreadable(name, reasonOf(status, text, role));
    }
    return text;
}

} // namespace cairn::hdf5
