// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// The connections to other machines, as programs with a window show them. Any thread; a call never
/// waits for a host. A forked child of the process has no states: a thread that it does not have
/// may hold the lock.
namespace cairn {

enum class HostLink : std::uint8_t { Connecting, Connected, Lost };

struct HostState {
    std::string host; ///< "user@host:port" with the known parts
    HostLink link = HostLink::Connecting;
    std::optional<Error> why; ///< of Lost: why it was not made, or how it ended
};

/// Recorded by whoever makes the connections (core/store).
void reportHost(HostState state);

/// The last state of a host; empty: it was not used.
std::optional<HostState> hostState(const std::string& host);

/// Calls `changed` with the name of a host after each change of its state, until it is destroyed:
/// on the thread that made the change, which must not be held up.
class HostListener {
public:
    explicit HostListener(std::function<void(const std::string& host)> changed);
    HostListener(const HostListener&) = delete;
    HostListener& operator=(const HostListener&) = delete;
    ~HostListener();
};

} // namespace cairn
