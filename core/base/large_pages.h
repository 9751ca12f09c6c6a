// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Memory in large pages, where the kernel has them on request (`transparent_hugepage` is `madvise`
/// or `always`). Reading an index is mostly writing fresh memory: in pages of 4 KiB a third of its
/// time goes into getting them. Nothing here fails: without large pages all works as before.
namespace cairn {

/// For a block that was just allocated and is going to be filled; any thread. Blocks below a few
/// MiB are left alone.
void adviseLargePages(const void* block, std::size_t bytes);

/// Lets the heap of the main thread grow once by `bytes` of address space, of which only what is
/// used becomes memory, in large pages, and keeps what is freed. For programs that do one thing and
/// end; to be called at the start of main. Does nothing where address space is limited.
void growHeapInLargePages(std::size_t bytes);

} // namespace cairn
