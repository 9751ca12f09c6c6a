// SPDX-License-Identifier: Apache-2.0
#include "core/base/host_states.h"

#include <map>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace cairn {
namespace {

struct HostTable {
    const pid_t process = ::getpid();
    std::mutex lock; ///< of what follows
    std::map<std::string, HostState> states;
    std::map<const HostListener*, std::function<void(const std::string&)>> listeners;

    [[nodiscard]] bool isOurs() const { return process == ::getpid(); }
};

/// Never destroyed: a connection may end while the program does.
HostTable& hostTable() {
    static auto* table = new HostTable;
    return *table;
}

} // namespace

void reportHost(HostState state) {
    HostTable& table = hostTable();
    if (!table.isOurs()) {
        return;
    }
    const std::lock_guard guard(table.lock);
    const std::string host = state.host;
    table.states.insert_or_assign(host, std::move(state));
    for (const auto& [listener, changed] : table.listeners) {
        changed(host);
    }
}

std::optional<HostState> hostState(const std::string& host) {
    HostTable& table = hostTable();
    if (!table.isOurs()) {
        return std::nullopt;
    }
    const std::lock_guard guard(table.lock);
    const auto at = table.states.find(host);
    return at != table.states.end() ? std::optional(at->second) : std::nullopt;
}

HostListener::HostListener(std::function<void(const std::string&)> changed) {
    HostTable& table = hostTable();
    const std::lock_guard guard(table.lock);
    table.listeners.emplace(this, std::move(changed));
}

HostListener::~HostListener() {
    HostTable& table = hostTable();
    if (table.isOurs()) {
        const std::lock_guard guard(table.lock);
        table.listeners.erase(this);
    }
}

} // namespace cairn
