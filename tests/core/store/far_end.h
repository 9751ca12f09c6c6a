// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/started_program.h"
#include "core/store/host.h"
#include "core/store/serve.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <list>
#include <thread>
#include <unistd.h>

/// Far ends in threads of this process, whose streams can be cut.
namespace cairn::store {

/// Copies `from` to `to`, at most `most` bytes, and closes both.
inline void pump(FileHandle from, FileHandle to, std::uint64_t most) {
    std::array<char, 4096> buffer{};
    while (most > 0) {
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
        m_threads.emplace_back(
            [from = std::move(in.read), to = std::move(out.write), program = m_program] {
                (void)serve(from.fd(), to.fd(), {"test", program});
            });
        m_threads.emplace_back([from = std::move(out.read), to = std::move(near.write),
                                cut]() mutable { pump(std::move(from), std::move(to), cut); });
        Channel channel;
        channel.toFar = std::move(in.write);
        channel.fromFar = std::move(near.read);
        return channel;
    }

    /// The first connections are cut after so many bytes each.
    HostPtr host(std::vector<std::uint64_t> cuts = {}) {
        return std::make_shared<Host>(
            RemoteName{"", "far", 0, "/"},
            [this, cuts = std::move(cuts), made = std::size_t{0}](const RemoteName&) mutable {
                const std::uint64_t cut = made < cuts.size() ? cuts[made] : UINT64_MAX;
                ++made;
                return Connection::start(connect(cut), "", "far");
            });
    }

    void runs(std::string program) { m_program = std::move(program); }

private:
    std::string m_program = "/bin/sh";
    std::list<std::thread> m_threads;
};

} // namespace cairn::store
