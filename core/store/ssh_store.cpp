// SPDX-License-Identifier: Apache-2.0
#include "core/store/ssh_store.h"

#include "core/store/remote_folder.h"
#include "core/store/ssh_start.h"

#include <map>
#include <mutex>

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

Result<RemotePlace> openNamedPlace(const RemoteName& name) {
    return openPlace(hostOf(name), name.path);
}

} // namespace

HostPtr hostOf(const RemoteName& name) {
    KnownHosts& known = knownHosts();
    const std::lock_guard guard(known.lock);
    HostPtr& host = known.hosts[name.account()];
    if (host == nullptr) {
        RemoteName own = name;
        own.path = "/";
        host = std::make_shared<Host>(own, [version = known.version](const RemoteName& wanted) {
            return connectBySsh(wanted, version);
        });
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
    setRemoteOpener(openNamedPlace);
}

} // namespace cairn::store
