// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/host.h"

namespace cairn::store {

/// Opens a file or folder of a host. Of a folder, its entries and those of the folders in it are
/// known afterwards without another request.
Result<RemotePlace> openPlace(const HostPtr& host, const std::string& path);

} // namespace cairn::store
