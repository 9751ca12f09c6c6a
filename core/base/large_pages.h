// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Memory in large pages, if the kernel provides them on request (`transparent_hugepage` is
/// `madvise` or `always`). Reading an index mostly writes to new memory: with 4 KiB pages, page
/// faults take a third of the time. Nothing here fails: without large pages everything works, only
/// slower.
namespace cairn {

/// For a newly allocated block that will be filled; any thread. Does nothing for blocks below a few
/// MiB.
void adviseLargePages(const void* block, std::size_t bytes);

/// Reserves capacity for `count` entries; a large list is placed in large pages.
template <class List> void reserveInLargePages(List& list, std::size_t count) {
    list.reserve(count);
    adviseLargePages(list.data(), list.capacity() * sizeof(list[0]));
}

/// Grows the main thread's heap once by `bytes` of address space, which becomes large pages when
/// used, and keeps freed memory. For programs that perform one task and exit; call it at the start
/// of main. Does nothing if the address space is limited.
void growHeapInLargePages(std::size_t bytes);

} // namespace cairn
