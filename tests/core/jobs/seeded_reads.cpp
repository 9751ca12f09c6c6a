// SPDX-License-Identifier: Apache-2.0
#include "tests/core/jobs/seeded_reads.h"

#include <sys/syscall.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fcntl.h>
#include <unistd.h>

namespace cairn::jobtest {
namespace {

std::atomic<SeededReads> g_bug{SeededReads::None};
std::atomic<std::size_t> g_met{0};
/// The buffer into which a staged output was read last.
std::atomic<const unsigned char*> g_readBegin{nullptr};
std::atomic<const unsigned char*> g_readEnd{nullptr};

bool isStagedOutput(int fd) {
    const std::string path = pathOf(fd);
    return path.find(".cairn-partial-") != std::string::npos &&
           path.find(".journal") == std::string::npos &&
           (::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
}

long realRead(int fd, void* buffer, std::size_t size, off_t offset) {
    return ::syscall(SYS_pread64, fd, buffer, size, offset);
}

long readWithBug(SeededReads bug, int fd, void* buffer, std::size_t size, off_t offset) {
    g_readBegin = static_cast<const unsigned char*>(buffer);
    g_readEnd = static_cast<const unsigned char*>(buffer) + size;
    if (bug == SeededReads::BlockFurther) {
        ++g_met;
        (void)realRead(fd, buffer, size, offset + 4096);
        return static_cast<long>(size);
    }
    if (bug == SeededReads::Beginning && offset > 0) {
        ++g_met;
        (void)realRead(fd, buffer, size, 0);
        return static_cast<long>(size);
    }
    if (bug == SeededReads::Short && offset > 0) {
        ++g_met;
        (void)realRead(fd, buffer, size / 2 / 4096 * 4096, offset);
        return static_cast<long>(size);
    }
    if (bug == SeededReads::Nothing) {
        ++g_met;
        return static_cast<long>(size);
    }
    return realRead(fd, buffer, size, offset);
}

/// How many of the bytes are compared.
std::size_t comparedBytes(const unsigned char* left, std::size_t size) {
    const SeededReads bug = g_bug.load(std::memory_order_relaxed);
    if (bug < SeededReads::EverythingEqual || left < g_readBegin.load() ||
        left >= g_readEnd.load()) {
        return size;
    }
    ++g_met;
    return bug == SeededReads::EverythingEqual  ? 0
           : bug == SeededReads::FirstHalfEqual ? size / 2
                                                : size - std::min<std::size_t>(size, 1);
}

} // namespace

SeededReading::SeededReading(SeededReads bug) {
    g_met = 0;
    g_readBegin = nullptr;
    g_readEnd = nullptr;
    g_bug = bug;
}

SeededReading::~SeededReading() {
    g_bug = SeededReads::None;
}

std::size_t SeededReading::met() {
    return g_met.load();
}

std::string pathOf(int fd) {
    std::array<char, 4096> path{};
    const ssize_t size =
        ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path.data(), path.size());
    return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size)) : std::string();
}

} // namespace cairn::jobtest

extern "C" {

ssize_t pread(int fd, void* buffer, std::size_t size, off_t offset) {
    using namespace cairn::jobtest;
    const SeededReads bug = g_bug.load(std::memory_order_relaxed);
    return bug != SeededReads::None && isStagedOutput(fd)
               ? readWithBug(bug, fd, buffer, size, offset)
               : realRead(fd, buffer, size, offset);
}

int memcmp(const void* left, const void* right, std::size_t size) noexcept {
    const auto* a = static_cast<const unsigned char*>(left);
    const auto* b = static_cast<const unsigned char*>(right);
    const std::size_t count = cairn::jobtest::comparedBytes(a, size);
    for (std::size_t i = 0; i < count; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}
}
