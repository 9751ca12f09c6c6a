// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/other_machine.h"
#include "core/io/folder.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Names of files and folders on other machines, and the one place from which they are opened.
namespace cairn {

/// "host:/path", "user@host:~/path" or "ssh://[user@]host[:port]/path". A value; any thread.
struct RemoteName {
    std::string user; ///< empty: as ssh decides
    std::string host; ///< a name of the user's ssh configuration, or an address
    std::uint16_t port = 0;
    std::string path; ///< absolute, or beginning with "~" for the home folder there

    /// Never contains what ssh would take as an option. Fails: InvalidArgument; Unsupported for
    /// URLs of other schemes.
    static Result<RemoteName> parse(std::string_view text);

    /// The shortest form that parse() accepts, with another path.
    [[nodiscard]] std::string withPath(std::string_view other) const;
    [[nodiscard]] std::string text() const { return withPath(path); }
    /// "user@host:port" with the known parts: identifies a connection, and for messages.
    [[nodiscard]] std::string account() const;

    friend bool operator==(const RemoteName&, const RemoteName&) = default;
};

/// A remote file or folder, opened. As Location::Opened.
struct RemotePlace {
    FolderPtr folder;
    std::string name;
};

/// Opens remote names; core/store implements it. Without one they are unsupported.
using RemoteOpener = Result<RemotePlace> (*)(const RemoteName& named);

/// Called once, before other threads are started.
void setRemoteOpener(RemoteOpener opener);

/// Opens what a path names on another machine. Fails: Unsupported for schemes and programs without
/// support; the errors of the store.
Result<RemotePlace> openRemote(const std::filesystem::path& named);

} // namespace cairn
