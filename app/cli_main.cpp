// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/parse.h"
#include "app/cli/remote_work.h"
#include "app/cli/version.h"
#include "core/base/large_pages.h"
#include "core/base/visible_text.h"
#include "core/codec/hdf5/index_program.h"
#include "core/io/open_files.h"
#include "core/store/ssh_store.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace cairn;
using namespace cairn::cli;

/// Used by the signal handler: points to an atomic flag and is set before the handler is installed.
const CancelToken* g_cancel = nullptr;

/// The second interrupt ends the program at once; the written data of a job is kept, and it can be
/// resumed.
extern "C" void onInterrupt(int number) {
    if (g_cancel->cancelled()) {
        ::signal(number, SIG_DFL);
        ::raise(number);
    }
    g_cancel->cancel();
}

void installSignals(const CancelToken& cancel) {
    g_cancel = &cancel;
    struct sigaction action {};
    action.sa_handler = onInterrupt;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, nullptr);
    ::sigaction(SIGXFSZ, &ignore, nullptr);
}

void printField(std::string& text, const char* label, const std::string& value) {
    if (!value.empty()) {
        text += std::string("  ") + label + visibleText(value) + "\n";
    }
}

void printToStandardError(const Error& error) {
    std::string text = "cairn-cli: " + visibleText(error.message.text()) + "\n";
    printField(text, "file:     ", error.where.file);
    if (error.where.offset) {
        printField(text, "offset:   ", std::to_string(*error.where.offset));
    }
    printField(text, "tensor:   ", error.where.tensor);
    printField(text, "field:    ", error.where.field);
    printField(text, "found:    ", error.found.text());
    printField(text, "expected: ", error.expected.text());
    printField(text, "hint:     ", error.hint.text());
    std::fputs(text.c_str(), stderr);
}

/// Enough for the index of a million tensors.
constexpr std::size_t kHeap = std::size_t{512} << 20U;

int report(const Error& error, Session& session) {
    if (session.json) {
        JsonDocument document(session.out);
        document->key("error");
        writeError(*document, error);
        document.finish();
    }
    printToStandardError(error);
    return exitCode(error);
}

void reportTraffic(const Session& session) {
    for (const auto& host : session.verbose ? store::usedHosts() : std::vector<store::HostPtr>()) {
        const auto [requests, bytes, content] = host->traffic();
        session.message("cairn-cli: " + host->name().account() + ": " + std::to_string(requests) +
                        " requests, " + std::to_string(bytes) + " bytes received, " +
                        std::to_string(content) + " of them of files");
    }
}

int run(int argc, char** argv, Session& session) {
    const Parsed parsed = parseArguments(argc, argv, session);
    if (parsed.error) {
        return report(*parsed.error, session);
    }
    if (!parsed.help.empty()) {
        session.out.write(parsed.help);
        return kExitOk;
    }
    if (parsed.version) {
        printVersion(session);
        return kExitOk;
    }
    std::vector<std::string> words(argv + 1, argv + argc);
    if (const auto verb = std::ranges::find(words, parsed.verb->name); verb != words.end()) {
        std::rotate(words.begin(), verb, verb + 1); // options may precede it
    }
    if (const auto work = remoteWork(*parsed.verb, words)) {
        const Result<int> code = runRemote(*work, session);
        return code                         ? *code
               : session.cancel.cancelled() ? report(fail(ErrorCode::Cancelled, "Stopped"), session)
                                            : report(code.error(), session);
    }
    const Result<int> code = runVerb(*parsed.verb, parsed.arguments, session);
    return code ? *code : report(code.error(), session);
}

} // namespace

int main(int argc, char** argv) {
#ifdef CAIRN_STATIC // contains the index process, which elsewhere is a program beside this one
    if (hdf5::isIndexProgram(argc, argv)) {
        return hdf5::runIndexProgram(argc, argv);
    }
#endif
    growHeapInLargePages(kHeap);
    allowManyOpenFiles();
    Session session;
    installSignals(session.cancel);
    store::useSsh(CAIRN_VERSION);
    int code = run(argc, argv, session);
    reportTraffic(session);
    if (const auto flushed = session.out.flush(); !flushed) {
        printToStandardError(flushed.error());
        code = exitCode(flushed.error());
    }
    return code;
}
