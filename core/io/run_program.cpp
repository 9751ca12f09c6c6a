// SPDX-License-Identifier: Apache-2.0
#include "core/io/run_program.h"

#include "core/io/file_ops.h"
#include "core/io/started_program.h"
#include "core/io/system_error.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace cairn {
namespace {

constexpr std::size_t kMaxProgramOutput = std::size_t{64} << 20U;

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
    CAIRN_TRY(const FileHandle input, inputFile(call.input));
    CAIRN_TRY(Pipe output, openPipe());
    CAIRN_TRY(Pipe errors, openPipe());
    CAIRN_TRY(
        StartedProgram program,
        startProgram(
            {call.words.front(), call.words, {input.fd(), output.write.fd(), errors.write.fd()}}));
    output.write = FileHandle(); // those of the program are left, so that its end can be seen
    errors.write = FileHandle();
    ProgramOutput done;
    CAIRN_CHECK(readBoth(call, output.read, errors.read, done, cancel));
    done.code = exitCodeOf(program.wait());
    return done;
}

} // namespace cairn
