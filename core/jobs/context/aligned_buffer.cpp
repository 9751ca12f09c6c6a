// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/context/aligned_buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace cairn {
namespace {

/// The result begins at a huge-page boundary.
std::byte* mapHuge(std::size_t size) {
    constexpr std::size_t kHuge = AlignedBuffer::kHugePage;
    void* mapped =
        ::mmap(nullptr, size + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        throw std::bad_alloc();
    }
    auto* const bytes = static_cast<std::byte*>(mapped);
    const std::size_t before = (kHuge - reinterpret_cast<std::uintptr_t>(mapped) % kHuge) % kHuge;
    if (before > 0) {
        ::munmap(bytes, before);
    }
    ::munmap(bytes + before + size, kHuge - before);
    ::madvise(bytes + before, size, MADV_HUGEPAGE); // failure is harmless
    return bytes + before;
}

} // namespace

AlignedBuffer::Bytes AlignedBuffer::allocate(std::size_t size) {
    const auto whole = static_cast<std::size_t>(alignUp(size));
    if (size >= kHugePage) {
        return {mapHuge(whole), Free{whole}};
    }
    Bytes bytes(static_cast<std::byte*>(std::aligned_alloc(kBlock, whole)), Free{0});
    if (bytes == nullptr) {
        throw std::bad_alloc();
    }
    return bytes;
}

void AlignedBuffer::Free::operator()(std::byte* bytes) const {
    if (mapped > 0) {
        ::munmap(bytes, mapped);
    } else {
        std::free(bytes);
    }
}

} // namespace cairn
