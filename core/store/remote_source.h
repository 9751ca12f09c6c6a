// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/host.h"

namespace cairn::store {

/// A file of a host. Small reads are answered from the host's cache, which is filled in windows
/// that grow while a file is read from front to back.
ByteSourcePtr makeRemoteSource(HostPtr host, FileRef file, FileIdentity identity, std::string name);

/// The identity that a file has now, or why it cannot be opened.
Result<FileIdentity> statRemote(Host& host, const FileRef& file);

} // namespace cairn::store
