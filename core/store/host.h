// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/remote_name.h"
#include "core/store/connection.h"
#include "core/store/range_cache.h"

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

namespace cairn::store {

using Connector = std::function<Result<std::shared_ptr<Connection>>(const RemoteName& host)>;

/// A host, as all folders and files on it see it: one connection, which is made when it is first
/// needed and again when it was lost. Any thread. A forked child makes a connection of its own:
/// that of its parent has requests and a reading thread that the child does not have.
class Host {
public:
    Host(RemoteName name, Connector connector)
        : m_name(std::move(name)), m_connector(std::move(connector)) {}
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;
    ~Host();

    /// As Connection::request(). Requests that read are repeated on a new connection, twice at
    /// most.
    Result<void> request(FrameKind kind, std::string_view payload, const Answer& answer);
    /// Runs a verb there: its exit code. Not repeated.
    Result<int> run(const std::vector<std::string>& words,
                    const std::function<void(std::string_view)>& output,
                    const std::function<void(std::string_view)>& errors, const CancelToken& cancel);

    /// The user's home folder there. Fails as request().
    Result<std::string> home();

    [[nodiscard]] const RemoteName& name() const { return m_name; }
    RangeCache& cache() { return live().cache; }

    /// A file's identity here: files of different hosts never have the same.
    [[nodiscard]] FileIdentity identityHere(FileIdentity there) const;
    [[nodiscard]] FileIdentity identityThere(FileIdentity here) const;

    struct Traffic {
        std::uint64_t requests = 0;
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] Traffic traffic();

private:
    static constexpr std::uint64_t kCacheBytes = std::uint64_t{256} << 20U;

    /// What belongs to one process.
    struct Live {
        const pid_t process = ::getpid();
        RangeCache cache{kCacheBytes};
        std::mutex lock; ///< of what follows
        std::shared_ptr<Connection> connection;
        Traffic before; ///< of lost connections
    };
    Live& live();
    Result<std::shared_ptr<Connection>> connection();
    Error named(Error error) const;

    RemoteName m_name; ///< of no file
    Connector m_connector;
    std::atomic<Live*> m_live = new Live; ///< owned
};

using HostPtr = std::shared_ptr<Host>;

} // namespace cairn::store
