// SPDX-License-Identifier: Apache-2.0
#include "core/store/ssh_errors.h"

#include <algorithm>
#include <array>
#include <vector>

namespace cairn::store {
namespace {

struct KnownMessage {
    std::string_view part;
    ErrorCode code;
    Sentence message;
    Sentence hint;
};

/// The first that occurs decides.
const std::vector<KnownMessage>& knownMessages() {
    static const std::vector<KnownMessage> known = {
        {"REMOTE HOST IDENTIFICATION HAS CHANGED", ErrorCode::PermissionDenied,
         "The host's key has changed, and ssh refuses to connect",
         "Ask the host's administrator whether it has a new key; if so, `ssh-keygen -R HOST` "
         "removes the old one"},
        {"Host key verification failed", ErrorCode::PermissionDenied,
         "The host's key is unknown, and ssh refuses to connect",
         "Connect once with `ssh HOST` and compare the key that it shows"},
        {"Could not resolve hostname", ErrorCode::NotFound, "The host name is unknown",
         "Check the name; `ssh HOST` must work in a terminal"},
        {"Permission denied", ErrorCode::PermissionDenied, "The host refused to log in",
         "`ssh HOST` must work in a terminal; check the user name, and that the key is loaded "
         "(`ssh-add -l`)"},
        {"Too many authentication failures", ErrorCode::PermissionDenied,
         "The host refused to log in",
         "Set IdentitiesOnly and IdentityFile for it in ~/.ssh/config"},
        {"Connection refused", ErrorCode::Io, "The host refuses connections by ssh",
         "Check the name and the port"},
        {"timed out", ErrorCode::Io, "The host does not respond",
         "Check the network, or whether a jump host or VPN is needed"},
        {"No route to host", ErrorCode::Io, "The host cannot be reached",
         "Check the network, or whether a jump host or VPN is needed"},
        {"Network is unreachable", ErrorCode::Io, "The host cannot be reached",
         "Check the network, or whether a jump host or VPN is needed"},
        {"Bad configuration option", ErrorCode::InvalidArgument,
         "The configuration of ssh is invalid", "`ssh HOST` must work in a terminal"},
    };
    return known;
}

} // namespace

std::string lastLines(std::string_view messages) {
    constexpr std::size_t kLines = 3;
    std::vector<std::string_view> lines;
    while (!messages.empty()) {
        const std::size_t end = std::min(messages.find('\n'), messages.size());
        std::string_view line = messages.substr(0, end);
        messages.remove_prefix(std::min(end + 1, messages.size()));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
            line.remove_suffix(1);
        }
        if (!line.empty()) {
            lines.push_back(line);
        }
    }
    std::string text;
    for (std::size_t i = lines.size() - std::min(kLines, lines.size()); i < lines.size(); ++i) {
        text += (text.empty() ? "" : "; ") + std::string(lines[i]);
    }
    return text;
}

Error sshError(std::string_view messages, const std::string& host) {
    const auto& known = knownMessages();
    const auto at = std::ranges::find_if(known, [&](const KnownMessage& each) {
        return messages.find(each.part) != std::string_view::npos;
    });
    Error error = at != known.end() ? fail(at->code, at->message).withHint(at->hint)
                                    : fail(ErrorCode::Io, "ssh ended before the host answered")
                                          .withHint("`ssh HOST` must work in a terminal");
    error.where.file = host;
    error.found = verbatim(lastLines(messages));
    return error;
}

} // namespace cairn::store
