// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/started_program.h"
#include "core/store/host.h"
#include "core/store/serve.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <list>
#include <memory>
#include <poll.h>
#include <thread>
#include <unistd.h>

/// Far ends in threads of this process, whose streams can be cut.
namespace cairn::store {

/// What happens to the bytes of all far ends: they arrive, or do not, or the streams are cut.
enum class Line { Open, Silent, Cut };
using LinePtr = std::shared_ptr<std::atomic<Line>>;

/// Copies `from` to `to`, at most `most` bytes, and closes both.
inline void pump(FileHandle from, FileHandle to, std::uint64_t most, const LinePtr& line) {
    std::array<char, 4096> buffer{};
    while (most > 0) {
        pollfd waiting{from.fd(), POLLIN, 0};
        const int ready = *line == Line::Silent ? ::usleep(10'000) : ::poll(&waiting, 1, 10);
        if (*line == Line::Cut) {
            return;
        }
        if (ready <= 0) {
            pollfd gone{to.fd(), 0, 0}; // who would read it
            if (*line == Line::Silent && ::poll(&gone, 1, 0) > 0) {
                return;
            }
            continue;
        }
        const ssize_t got =
            ::read(from.fd(), buffer.data(), std::min<std::uint64_t>(buffer.size(), most));
        if (got <= 0 || ::write(to.fd(), buffer.data(), static_cast<std::size_t>(got)) != got) {
            return;
        }
        most -= static_cast<std::uint64_t>(got);
    }
}

class FarEnds {
public:
    FarEnds() { ::signal(SIGPIPE, SIG_IGN); }
    FarEnds(const FarEnds&) = delete;
    FarEnds& operator=(const FarEnds&) = delete;
    ~FarEnds() {
        for (std::thread& each : m_threads) {
            each.join();
        }
    }

    /// The stream from the far end is cut after so many bytes.
    Channel connect(std::uint64_t cut = UINT64_MAX) {
        Pipe in = openPipe().value();
        Pipe out = openPipe().value();
        Pipe near = openPipe().value();
        m_threads.emplace_back([from = std::move(in.read), to = std::move(out.write),
                                program = m_program, clock = m_clock] {
            (void)serve(from.fd(), to.fd(), {"test", program, clock});
        });
        m_threads.emplace_back(
            [from = std::move(out.read), to = std::move(near.write), cut, line = m_line]() mutable {
                pump(std::move(from), std::move(to), cut, line);
            });
        Channel channel;
        channel.toFar = std::move(in.write);
        channel.fromFar = std::move(near.read);
        return channel;
    }

    /// Of the connections that are open, and of new ones; one that is cut is not made again.
    void setLine(Line line) { *m_line = line; }

    /// The first connections are cut after so many bytes each.
    HostPtr host(std::vector<std::uint64_t> cuts = {},
                 std::chrono::milliseconds mostSilence = kMostSilence,
                 BlockCache blocks = BlockCache(std::filesystem::path())) {
        return std::make_shared<Host>(
            RemoteName{"", "far", 0, "/"},
            [this, cuts = std::move(cuts), mostSilence, made = std::size_t{0}](
                const RemoteName&) mutable -> Result<std::shared_ptr<Connection>> {
                if (*m_line == Line::Cut) {
                    return fail(ErrorCode::Io, "The host cannot be reached").inFile("far");
                }
                const std::uint64_t cut = made < cuts.size() ? cuts[made] : UINT64_MAX;
                ++made;
                return Connection::start(connect(cut), "", "far", mostSilence);
            },
            std::move(blocks));
    }

    /// Of new connections, beside that of this machine.
    void setClock(std::chrono::nanoseconds offset) { m_clock = offset; }
    void runs(std::string program) { m_program = std::move(program); }

private:
    std::string m_program = "/bin/sh";
    std::chrono::nanoseconds m_clock{0};
    LinePtr m_line = std::make_shared<std::atomic<Line>>(Line::Open);
    std::list<std::thread> m_threads;
};

} // namespace cairn::store
