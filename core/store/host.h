// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/remote_name.h"
#include "core/store/block_cache.h"
#include "core/store/connection.h"
#include "core/store/range_cache.h"

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
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
    Host(RemoteName name, Connector connector,
         BlockCache blocks = BlockCache(std::filesystem::path()))
        : m_name(std::move(name)), m_connector(std::move(connector)), m_blocks(std::move(blocks)) {}
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;
    ~Host();

    /// As Connection::request(). Requests that read are repeated on a new connection, twice at
    /// most.
    Result<void> request(FrameKind kind, std::string_view payload, const Answer& answer);
    /// A failure stops the verb, and becomes that of run().
    using TakeText = std::function<Result<void>(std::string_view)>;
    /// Runs a verb there: its exit code. Not repeated.
    Result<int> run(const std::vector<std::string>& words, const TakeText& output,
                    const TakeText& errors, const CancelToken& cancel);
    /// Another number after each verb that ran: what was listed before may no longer be true.
    [[nodiscard]] std::uint64_t changes() const { return m_changes; }

    /// The user's home folder there. Fails as request().
    Result<std::string> home();

    [[nodiscard]] const RemoteName& name() const { return m_name; }

    /// Fills all of `out` from memory or this machine's disk and returns true, or leaves it
    /// undefined. `file`: as it was opened; `here`: its identity here.
    bool cached(const FileRef& file, const FileIdentity& here, std::uint64_t offset,
                std::span<std::byte> out);
    /// The clock of the host, never later than it really is, in ns since 1970; 0: unknown. Connects
    /// if necessary; fails as that.
    Result<std::int64_t> nowThereNs();
    /// Keeps bytes of a file in memory, and on the disk if isSettled(). `askedNs`: nowThereNs()
    /// before they were asked for.
    void keep(const FileRef& file, const FileIdentity& here, std::uint64_t offset,
              std::string bytes, std::int64_t askedNs);
    [[nodiscard]] const BlockCache& blocks() const { return m_blocks; }
    /// A file had not changed for so long when it was read that any change since has another time
    /// stamp. By the time of the last change that the file system itself records. Not certain where
    /// pages stay unwritten for longer than Linux' default, as those of a tmpfs always do.
    static bool isSettled(const FileIdentity& there, std::int64_t askedNs);

    /// A file's identity here: files of different hosts never have the same.
    [[nodiscard]] FileIdentity identityHere(FileIdentity there) const;
    [[nodiscard]] FileIdentity identityThere(FileIdentity here) const;

    struct Traffic {
        std::uint64_t requests = 0;
        std::uint64_t bytes = 0;
        std::uint64_t content = 0; ///< bytes of files among them
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
    [[nodiscard]] CachedFile cachedFile(const FileRef& file, const FileIdentity& here) const;

    RemoteName m_name; ///< of no file
    Connector m_connector;
    BlockCache m_blocks;
    std::atomic<std::uint64_t> m_changes = 0;
    std::atomic<Live*> m_live = new Live; ///< owned
};

using HostPtr = std::shared_ptr<Host>;

} // namespace cairn::store
