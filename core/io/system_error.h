// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

namespace cairn {

/// An errno as an Error: ENOENT -> NotFound, EACCES -> PermissionDenied, ENOSPC -> NoSpace, EDQUOT
/// -> QuotaExceeded, EROFS -> ReadOnlyFileSystem, EXDEV/ELOOP from a lookup beneath a folder ->
/// OutsideFolder, everything else -> Io. `found` contains the system's message.
Error systemError(int errnoValue, Sentence message);

} // namespace cairn
