// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

/// Whether a path names something on another machine ("host:/path"); core/io/remote_name.h reads
/// such a name. Any thread; what is here is looked up on the disk, no host is asked.
namespace cairn {

/// The form of a path on another machine: absolute, or below a home folder.
bool isFarPath(std::string_view path);
/// True for names of other machines and services ("ssh://…", "host:/path", "s3://…"), whether
/// supported or not. The names of existing local files may have the same form; these come first.
bool namesRemote(std::string_view text);
/// The form is that of another machine, and nothing here has this name: a local file comes first.
bool isOnOtherMachine(const std::filesystem::path& path);

/// As absolutePath(); a name of another machine is absolute already.
std::filesystem::path absolutePlace(const std::filesystem::path& path);

} // namespace cairn
