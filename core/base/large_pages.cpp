// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <unistd.h>

namespace cairn {
namespace {

constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20U;
constexpr std::size_t kSmallest = 2 * kPage;
/// The largest threshold that malloc accepts; larger blocks are separate mappings.
constexpr int kMappedFrom = 32 << 20;

bool unlimited(int what) {
    rlimit limit{};
    return getrlimit(static_cast<__rlimit_resource>(what), &limit) == 0 &&
           limit.rlim_cur == RLIM_INFINITY;
}

} // namespace

void adviseLargePages(const void* block, std::size_t bytes) {
    if (bytes < kSmallest) {
        return;
    }
    const auto start = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t first = (start + kPage - 1) / kPage * kPage;
    const std::uintptr_t end = (start + bytes) / kPage * kPage;
    if (first < end) { // an error means that the kernel does not support it, which is harmless
        static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
    }
}

void growHeapInLargePages(std::size_t bytes) {
    if (!unlimited(RLIMIT_AS) || !unlimited(RLIMIT_DATA)) {
        return;
    }
    mallopt(M_MMAP_THRESHOLD, kMappedFrom);
    mallopt(M_TRIM_THRESHOLD, static_cast<int>(bytes));
    mallopt(M_TOP_PAD, static_cast<int>(bytes));
    const void* before = sbrk(0);
    // More than a new heap contains; volatile, because compilers remove such pairs.
    void* volatile block = std::malloc(std::size_t{1} << 20U);
    std::free(block);
    mallopt(M_TOP_PAD, 1 << 20);
    const void* after = sbrk(0);
    if (before < after) {
        adviseLargePages(before, static_cast<std::size_t>(static_cast<const char*>(after) -
                                                          static_cast<const char*>(before)));
    }
}

} // namespace cairn
