// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zip/zip_archive.h"

namespace cairn {

/// The content of a deflated entry whose compressed bytes are `compressed`. Private to this folder.
ByteSourcePtr makeInflateSource(ByteSourcePtr compressed, const ZipEntry& entry);

} // namespace cairn
