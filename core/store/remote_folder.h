// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/host.h"

namespace cairn::store {

/// Opens a file or folder of a host. Of a folder, its entries and those of the folders in it are
/// known afterwards without another request.
Result<RemotePlace> openPlace(const HostPtr& host, const std::string& path);

/// Opens a folder and asks for its entries only. REQUIRES: an absolute path.
Result<RemotePlace> openListed(const HostPtr& host, const std::string& path);

/// A path beneath a folder of openPlace(), if the entries that it knows decide what it names: a
/// folder whose entries are known, or a file. Makes no request.
std::optional<RemotePlace> placeBelow(const FolderPtr& folder, std::string_view relative);

} // namespace cairn::store
