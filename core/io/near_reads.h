// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

namespace cairn {

/// A view of a file that joins small reads which follow each other closely, in either direction:
/// once a read is near an earlier one, a block around it is read and kept, and the reads inside are
/// served from memory. So a file of many small items costs a call a block instead of several an
/// item; a network's file system charges for each. Far reads and large ones are passed on as they
/// are, and nothing is read ahead for them. All else is the file's: identity, descriptor, name,
/// whether it changed.
///
/// Blocks grow from 8 to 64 KiB while they are used; the more files are open, the smaller they are
/// and the fewer a file has: together about 16 MiB, and at most 16 KiB a file beyond a thousand. If
/// a block cannot be read, the read is repeated alone, so that errors are the file's own.
ByteSourcePtr joinNearReads(ByteSourcePtr file);

/// Later reads of all views come from their files again. A pass that proves what an earlier one did
/// starts with this: it must not be shown the bytes that the earlier one kept.
void forgetNearReads();

} // namespace cairn
