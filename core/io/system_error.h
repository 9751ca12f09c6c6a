// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

namespace cairn {

/// An errno as an Error: ENOENT -> NotFound, EACCES -> PermissionDenied, ENOSPC -> NoSpace, EDQUOT
/// -> QuotaExceeded, EROFS -> ReadOnlyFileSystem, EXDEV/ELOOP from a beneath-only lookup ->
/// OutsideFolder, everything else -> Io. `found` holds the system's own words.
Error systemError(int errnoValue, std::string message);

} // namespace cairn
