// SPDX-License-Identifier: Apache-2.0
#include "core/store/ssh_store.h"

#include "core/store/connection.h"
#include "core/store/remote_folder.h"
#include "core/store/ssh_start.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <set>
#include <string_view>

namespace cairn::store {
namespace {

struct KnownHosts {
    std::mutex lock;
    std::map<std::string, HostPtr> hosts;
    std::string version;
};

/// Never destroyed: other threads may still read when the program ends.
KnownHosts& knownHosts() {
    static auto* known = new KnownHosts;
    return *known;
}

/// Opening a checkpoint names the same places several times: an opened one is used again for this
/// long, but not after a verb that ran there (Host::changes()).
constexpr auto kPlaceFresh = std::chrono::seconds(5);
/// That there is nothing is believed for a shorter time: it may be made meanwhile. A prefix of
/// files is first asked for as a file, by each that tries to open it.
constexpr auto kAbsenceFresh = std::chrono::seconds(1);

struct OpenedPlaces {
    struct Row {
        Result<RemotePlace> place; ///< or that it was not found
        HostPtr host;
        std::uint64_t changes = 0; ///< of the host, before it was asked
        std::chrono::steady_clock::time_point at;
        [[nodiscard]] bool isFresh(std::chrono::steady_clock::time_point now) const {
            return now - at <= (place ? kPlaceFresh : kAbsenceFresh) && changes == host->changes();
        }
    };
    std::mutex lock;
    std::map<std::string, Row> rows; ///< by account and path
    std::set<std::string> ever;      ///< the keys of all that was opened

    std::optional<Result<RemotePlace>> find(const std::string& key) {
        const std::lock_guard guard(lock);
        const auto now = std::chrono::steady_clock::now();
        std::erase_if(rows, [&](const auto& each) { return !each.second.isFresh(now); });
        const auto at = rows.find(key);
        return at != rows.end() ? std::optional(at->second.place) : std::nullopt;
    }
    /// Whether something beneath that path was opened.
    bool hasBelow(const std::string& key) {
        const std::lock_guard guard(lock);
        const std::string above = key.ends_with('/') ? key : key + "/";
        const auto at = ever.lower_bound(above);
        return at != ever.end() && at->starts_with(above);
    }
    void put(const std::string& key, const Result<RemotePlace>& place, const HostPtr& host,
             std::uint64_t changes) {
        const std::lock_guard guard(lock);
        if (place) {
            ever.insert(key);
        } else if (place.error().code != ErrorCode::NotFound) {
            return; // may be another answer the next time
        }
        rows.insert_or_assign(key, Row{place, host, changes, std::chrono::steady_clock::now()});
    }
};

OpenedPlaces& openedPlaces() {
    static auto* places = new OpenedPlaces; // never destroyed, as the hosts
    return *places;
}

std::string placeKey(const RemoteName& name, const std::string& path) {
    return name.account() + " " + path;
}

/// What the listing of an opened folder above it says of a path; nothing: it must be asked for.
std::optional<Result<RemotePlace>> knownPlace(const RemoteName& name) {
    if (auto same = openedPlaces().find(placeKey(name, name.path))) {
        return same;
    }
    for (std::size_t slash = name.path.rfind('/'); slash != std::string::npos && slash > 0;
         slash = name.path.rfind('/', slash - 1)) {
        const auto above = openedPlaces().find(placeKey(name, name.path.substr(0, slash)));
        if (above && *above && (*above)->name.empty()) {
            if (auto below = placeBelow((*above)->folder, name.path.substr(slash + 1))) {
                return *std::move(below);
            }
            return std::nullopt;
        }
    }
    return std::nullopt;
}

Result<RemotePlace> openNamedPlace(const RemoteName& name) {
    if (auto known = knownPlace(name)) {
        return *std::move(known);
    }
    // The folders around a checkpoint are asked for a config beside it: nothing is read ahead.
    const bool isAround =
        name.path.starts_with('/') && openedPlaces().hasBelow(placeKey(name, name.path));
    const HostPtr host = hostOf(name);
    const std::uint64_t changes = host->changes();
    Result<RemotePlace> place = isAround ? openListed(host, name.path) : openPlace(host, name.path);
    openedPlaces().put(placeKey(name, name.path), place, host, changes);
    return place;
}

void unlockTables() {
    openedPlaces().lock.unlock();
    knownHosts().lock.unlock();
}

} // namespace

HostPtr hostOf(const RemoteName& name) {
    KnownHosts& known = knownHosts();
    const std::lock_guard guard(known.lock);
    HostPtr& host = known.hosts[name.account()];
    if (host == nullptr) {
        RemoteName own = name;
        own.path = "/";
        host = std::make_shared<Host>(
            own,
            [version = known.version](const RemoteName& wanted) {
                return connectBySsh(wanted, version);
            },
            BlockCache::ofUser());
    }
    return host;
}

std::vector<HostPtr> usedHosts() {
    KnownHosts& known = knownHosts();
    const std::lock_guard guard(known.lock);
    std::vector<HostPtr> all;
    for (const auto& [account, host] : known.hosts) {
        all.push_back(host);
    }
    return all;
}

void useSsh(const std::string& version) {
    knownHosts().version = version;
    // A forked child (a worker of a Python program) names hosts, too: the locks must not be held by
    // a thread that it does not have. Handlers stay for ever, and twice would lock twice.
    static std::once_flag once;
    std::call_once(once, [] {
        ::pthread_atfork(
            [] {
                knownHosts().lock.lock();
                openedPlaces().lock.lock();
            },
            unlockTables,
            [] {
                unlockTables();
                closeInheritedStreams();
            });
    });
    setRemoteOpener(openNamedPlace);
}

} // namespace cairn::store
