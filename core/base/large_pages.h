// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Memory in large pages, if the kernel provides them on request (`transparent_hugepage` is
/// `madvise` or `always`). Reading an index mostly writes fresh memory: with 4 KiB pages, a third
/// of the time is spent on page faults. Nothing here fails: without large pages everything works as
/// before.
namespace cairn {

/// For a block that was just allocated and is going to be filled; any thread. Blocks below a few
/// MiB are left alone.
void adviseLargePages(const void* block, std::size_t bytes);

/// Grows the heap of the main thread once by `bytes` of address space, which becomes memory in
/// large pages when it is used, and keeps freed memory. For programs that do one thing and exit;
/// call it at the start of main. Does nothing if the address space is limited.
void growHeapInLargePages(std::size_t bytes);

} // namespace cairn
