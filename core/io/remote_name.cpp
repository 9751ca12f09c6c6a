// SPDX-License-Identifier: Apache-2.0
#include "core/io/remote_name.h"

#include "core/base/ascii.h"
#include "core/base/other_machine.h"

#include <algorithm>
#include <atomic>
#include <charconv>

namespace cairn {
namespace {

std::atomic<RemoteOpener> g_remoteOpener{nullptr};

constexpr std::string_view kSshScheme = "ssh:";
constexpr std::size_t kMaxHostName = 255;
constexpr std::size_t kMaxRemotePath = 4096; // PATH_MAX

/// A user or host that a program can be given as an argument: no option, no control characters, no
/// shell characters.
bool isPlainName(std::string_view name) {
    return !name.empty() && name.size() <= kMaxHostName && name.front() != '-' &&
           std::ranges::all_of(name, [](char c) {
               return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
                      c == '-' || c == '_' || c == ':' || c == '%';
           });
}

Error badName(std::string_view text, Sentence what) {
    return fail(ErrorCode::InvalidArgument, std::move(what))
        .inFile(std::string(text))
        .expecting("host:/path or ssh://user@host:port/path");
}

Error unsupported(std::string_view text) {
    return fail(ErrorCode::Unsupported, "Remote locations of this kind are not supported")
        .inFile(std::string(text))
        .expecting("a file or folder on this machine, host:/path or ssh://host/path")
        .withHint("Copy it to this machine or mount it, for example with sshfs or rclone");
}

/// "s3://…": a URL of another scheme than ssh.
bool isOtherUrl(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    return text.substr(colon).starts_with("://") && !text.starts_with(kSshScheme);
}

} // namespace

Result<RemoteName> RemoteName::parse(std::string_view text) {
    if (!namesRemote(text)) {
        return badName(text, "This does not name a file on another machine");
    }
    if (isOtherUrl(text)) {
        return unsupported(text);
    }
    RemoteName name;
    std::string_view rest = text;
    // A normalised path has one slash left of "ssh://".
    const bool isUrl =
        rest.starts_with(kSshScheme) && rest.substr(kSshScheme.size()).starts_with('/');
    if (isUrl) {
        rest.remove_prefix(kSshScheme.size());
        rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
    }
    const std::size_t limit = rest.find_first_of(":/"); // an at sign may be in the path
    if (const std::size_t at = rest.substr(0, limit).find('@'); at != std::string_view::npos) {
        name.user = rest.substr(0, at);
        rest.remove_prefix(at + 1);
        if (!isPlainName(name.user) || name.user.find(':') != std::string::npos) {
            return badName(text, "The user name is not usable");
        }
    }
    if (rest.starts_with('[')) {
        const std::size_t end = rest.find(']');
        name.host = rest.substr(1, std::min(end, rest.size()) - 1);
        rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    } else {
        const std::size_t end = std::min(rest.find_first_of(":/"), rest.size());
        name.host = rest.substr(0, end);
        rest.remove_prefix(end);
    }
    if (!isPlainName(name.host)) {
        return badName(text, "The host name is not usable");
    }
    if (rest.starts_with(':')) {
        rest.remove_prefix(1);
        const std::size_t end = isUrl ? std::min(rest.find('/'), rest.size()) : 0;
        const auto [last, error] = std::from_chars(rest.data(), rest.data() + end, name.port);
        if (end > 0 && (error != std::errc() || last != rest.data() + end || name.port == 0)) {
            return badName(text, "The port is not a number from 1 to 65535");
        }
        rest.remove_prefix(end);
    }
    while (rest.starts_with("//")) { // "host://path" would be a URL
        rest.remove_prefix(1);
    }
    if (rest.starts_with("/~")) { // "ssh://host/~/run"
        rest.remove_prefix(1);
    }
    if (!isFarPath(rest) || rest.size() > kMaxRemotePath ||
        rest.find('\0') != std::string_view::npos) {
        return badName(text, "The path on the host is not usable");
    }
    name.path = rest;
    return name;
}

std::string RemoteName::withPath(std::string_view other) const {
    const std::string address = host.find(':') == std::string::npos ? host : "[" + host + "]";
    const std::string whole = (user.empty() ? "" : user + "@") + address;
    // "ssh:/path" is a URL, "h:/path" names no other machine (namesRemote).
    if (const std::string name = whole + ":" + std::string(other);
        port == 0 && whole != "ssh" && namesRemote(name)) {
        return name;
    }
    return "ssh://" + whole + (port == 0 ? "" : ":" + std::to_string(port)) +
           (other.starts_with('/') ? "" : "/") + std::string(other);
}

std::string RemoteName::account() const {
    return (user.empty() ? "" : user + "@") + host + (port == 0 ? "" : ":" + std::to_string(port));
}

void setRemoteOpener(RemoteOpener opener) {
    g_remoteOpener = opener;
}

Result<RemotePlace> openRemote(const std::filesystem::path& named) {
    const std::string& text = named.native();
    const RemoteOpener opener = g_remoteOpener;
    if (opener == nullptr) {
        return unsupported(text);
    }
    CAIRN_TRY(const RemoteName name, RemoteName::parse(text));
    return opener(name);
}

} // namespace cairn
