// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/far_host.h"

#include "core/io/remote_name.h"

namespace cairn {

std::string hostAccountOf(const std::filesystem::path& place) {
    const auto name = namesRemote(place.native()) ? RemoteName::parse(place.native())
                                                  : Result<RemoteName>(Error());
    return name ? name->account() : std::string();
}

std::optional<HostState> hostStateOf(const std::filesystem::path& place) {
    const std::string host = hostAccountOf(place);
    return host.empty() ? std::nullopt : hostState(host);
}

/// Also while another thread tries to connect again: the state may change at any time after a
/// failure.
bool isOnLostHost(const std::filesystem::path& place) {
    const auto state = hostStateOf(place);
    return state && state->link != HostLink::Connected;
}

} // namespace cairn
