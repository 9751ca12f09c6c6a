// SPDX-License-Identifier: Apache-2.0
//
// Runs cairn-cli again and again, each time in a forked child: to start a sanitized program takes
// longer than most of the suite's runs. Request on standard input: numbers of 32 bits in the
// machine's order, and texts that begin with their length; the reply is the child's wait status.
// The children see only /dev/null there.
#define main cairnCliMain
#include "app/cli_main.cpp" // NOLINT(bugprone-suspicious-include)
#undef main

#include <sys/resource.h>
#include <sys/wait.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kBroken = 99; ///< exit code of a server or child that failed

void readAll(void* out, std::size_t bytes) {
    auto* next = static_cast<char*>(out);
    while (bytes > 0) {
        const ssize_t got = ::read(STDIN_FILENO, next, bytes);
        if (got <= 0) {
            std::_Exit(got == 0 && next == out ? 0 : kBroken); // the tests have ended
        }
        next += got;
        bytes -= static_cast<std::size_t>(got);
    }
}

std::uint32_t readNumber() {
    std::uint32_t number = 0;
    readAll(&number, sizeof(number));
    return number;
}

std::string readText() {
    std::string text(readNumber(), '\0');
    if (!text.empty()) {
        readAll(text.data(), text.size());
    }
    return text;
}

void redirect(int to, const char* path, int flags) {
    const int opened = ::open(path, flags, 0600);
    if (opened < 0 || ::dup2(opened, to) < 0) {
        std::_Exit(kBroken);
    }
    ::close(opened);
}

void limit(__rlimit_resource what, rlim_t soft, rlim_t hard) {
    const rlimit bounds{soft, hard};
    if (::setrlimit(what, &bounds) != 0) {
        std::_Exit(kBroken);
    }
}

struct Request {
    std::uint32_t processorSeconds = 0;
    std::uint32_t clockSeconds = 0;
    std::uint32_t memoryMib = 0; ///< of address space; 0: no limit
    bool findLeaks = false;      ///< with AddressSanitizer: a third of a short run's time
    std::string out;
    std::string errors;
    std::vector<std::string> arguments;
};

Request readRequest() {
    Request request;
    request.processorSeconds = readNumber();
    request.clockSeconds = readNumber();
    request.memoryMib = readNumber();
    request.findLeaks = readNumber() != 0;
    request.out = readText();
    request.errors = readText();
    request.arguments.resize(readNumber());
    for (std::string& argument : request.arguments) {
        argument = readText();
    }
    return request;
}

[[noreturn]] void runChild(Request request) {
    constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, request.out.c_str(), kWrite);
    redirect(STDERR_FILENO, request.errors.c_str(), kWrite);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_CPU, request.processorSeconds, request.processorSeconds + 1);
    if (request.memoryMib != 0) {
        const rlim_t bytes = rlim_t{request.memoryMib} << 20U;
        limit(RLIMIT_AS, bytes, bytes);
    }
    ::alarm(request.clockSeconds);
    std::vector<char*> arguments;
    for (std::string& argument : request.arguments) {
        arguments.push_back(argument.data());
    }
    arguments.push_back(nullptr);
    const int code = cairnCliMain(static_cast<int>(request.arguments.size()), arguments.data());
    if (request.findLeaks) {
        std::exit(code);
    }
    std::fflush(nullptr);
    std::_Exit(code);
}

} // namespace

int main() {
    while (true) {
        Request request = readRequest();
        const pid_t child = ::fork();
        if (child == 0) {
            runChild(std::move(request));
        }
        int status = 0;
        if (child < 0 || ::waitpid(child, &status, 0) != child ||
            ::write(STDOUT_FILENO, &status, sizeof(status)) != sizeof(status)) {
            return kBroken;
        }
    }
}
