// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/started_program.h"
#include "core/store/message.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cairn::store {

/// Sends a frame of the answer to a request. Any thread.
using SendFrame =
    std::function<Result<void>(FrameKind kind, std::uint64_t request, std::string_view payload)>;

/// The verbs that the far end runs: programs whose output is sent as it comes. The destructor stops
/// those that still run.
class ServedVerbs {
public:
    ServedVerbs(std::string program, SendFrame send)
        : m_program(std::move(program)), m_send(std::move(send)) {}
    ServedVerbs(const ServedVerbs&) = delete;
    ServedVerbs& operator=(const ServedVerbs&) = delete;
    ~ServedVerbs();

    Result<void> start(std::uint64_t request, const std::vector<std::string>& words);
    /// As Ctrl+C: a job ends so that it can be resumed.
    void cancel(std::uint64_t request);

private:
    struct Running {
        std::mutex lock; ///< of `program`
        StartedProgram program;
        std::thread thread;
    };
    static void signal(Running& running, int number);
    void forward(Running& running, std::uint64_t request, FileHandle output, FileHandle errors);

    std::string m_program;
    SendFrame m_send;
    std::map<std::uint64_t, std::unique_ptr<Running>> m_running; ///< and those that have ended
};

} // namespace cairn::store
