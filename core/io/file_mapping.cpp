// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_mapping.h"

#include <sys/mman.h>
#include <sys/uio.h>

#include <algorithm>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <ucontext.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 // Linux 5.14; older ones return EINVAL
#endif

namespace cairn {
namespace {

/// Processor time for mapping a window, above which it counts as expensive. Processor time, so that
/// load from other processes does not matter. Copying a window takes about twice this, but
/// unmapping costs time, too.
constexpr std::chrono::microseconds kExpensive{40};
constexpr int kFewest = 4; ///< windows to read by copying after an expensive one
constexpr int kMost = 128; ///< the same after many expensive ones in a row

std::atomic<int> windowsToRead{0};
std::atomic<int> afterNext{kFewest};

/// Where the thread continues after an access to missing memory.
thread_local sigjmp_buf* guard = nullptr;
struct sigaction previousAction {};

std::chrono::nanoseconds threadTime() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void onBusError(int signal, siginfo_t* info, void* context) {
    if (guard != nullptr) {
        // Restores the signal mask, as a return would: the jump does not, because saving the mask
        // would cost each guard a system call.
        ::pthread_sigmask(SIG_SETMASK, &static_cast<const ucontext_t*>(context)->uc_sigmask,
                          nullptr);
        siglongjmp(*guard, 1);
    }
    if ((previousAction.sa_flags & SA_SIGINFO) != 0) {
        previousAction.sa_sigaction(signal, info, context);
    } else if (previousAction.sa_handler == SIG_DFL || previousAction.sa_handler == SIG_IGN) {
        ::signal(signal, SIG_DFL); // the instruction is repeated and ends the process
    } else {
        previousAction.sa_handler(signal);
    }
}

void installHandler() {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previousAction);
    });
}

} // namespace

std::unique_ptr<FileMapping> FileMapping::of(ByteSourcePtr source, ByteRange range, Show when) {
    const int descriptor = source->descriptor();
    if (descriptor < 0 || range.length == 0) {
        return nullptr;
    }
    std::unique_ptr<FileMapping> mapping(new FileMapping);
    mapping->m_start = range.offset / kWindow * kWindow;
    // Up to the end of a window; otherwise the last pages could not be mapped as a large page.
    const std::uint64_t end = (range.offset + range.length + kWindow - 1) / kWindow * kWindow;
    mapping->m_length = static_cast<std::size_t>(end - mapping->m_start);
    void* memory = ::mmap(nullptr, mapping->m_length, PROT_READ, MAP_SHARED, descriptor,
                          static_cast<off_t>(mapping->m_start));
    if (memory == MAP_FAILED) {
        return nullptr;
    }
    installHandler();
    mapping->m_memory = static_cast<std::byte*>(memory);
    mapping->m_source = std::move(source);
    mapping->m_range = range;
    mapping->m_when = when;
    mapping->m_windows = std::vector<std::atomic<Window>>(mapping->m_length / kWindow);
    return mapping;
}

FileMapping::~FileMapping() {
    if (m_memory != nullptr) {
        ::munmap(m_memory, m_length);
    }
}

std::span<const std::byte> FileMapping::warm(std::uint64_t offset, std::size_t length) const {
    if (length == 0 || offset < m_range.offset ||
        !ByteRange{offset - m_range.offset, length}.fitsInto(m_range.length)) {
        return {};
    }
    const auto first = static_cast<std::size_t>((offset - m_start) / kWindow);
    const auto last = static_cast<std::size_t>((offset - m_start + length - 1) / kWindow);
    for (std::size_t window = first; window <= last; ++window) {
        Window state = m_windows[window].load(std::memory_order_relaxed);
        if (state == Window::Unknown) {
            state = show(window);
            m_windows[window].store(state, std::memory_order_relaxed);
        }
        if (state == Window::Read) {
            return {};
        }
    }
    return {m_memory + (offset - m_start), length};
}

void FileMapping::willRead(std::uint64_t offset, std::size_t length) const {
    if (length > 0 && !isCached(offset, offset + length)) {
        ::posix_fadvise(m_source->descriptor(), static_cast<off_t>(offset),
                        static_cast<off_t>(length), POSIX_FADV_WILLNEED);
    }
}

FileMapping::Window FileMapping::show(std::size_t window) const {
    const bool always = m_when == Show::Always;
    if (!always && windowsToRead.load(std::memory_order_relaxed) > 0) {
        windowsToRead.fetch_sub(1, std::memory_order_relaxed);
        return Window::Read;
    }
    const std::uint64_t first = window * kWindow;
    const std::uint64_t last = std::min(first + kWindow, m_source->size() - m_start);
    if (!always && !isCached(m_start + first, m_start + last)) {
        return Window::Read;
    }
    const auto start = threadTime();
    if (::madvise(m_memory + first, static_cast<std::size_t>(last - first), MADV_POPULATE_READ) !=
        0) {
        return Window::Read;
    }
    if (always || threadTime() - start < kExpensive) {
        afterNext.store(kFewest, std::memory_order_relaxed);
        return Window::Shown;
    }
    const int pause = afterNext.load(std::memory_order_relaxed);
    windowsToRead.store(pause, std::memory_order_relaxed);
    afterNext.store(std::min(2 * pause, kMost), std::memory_order_relaxed);
    return Window::Shown;
}

/// Checks the first, the middle and the last page; a gap between them costs a blocking page fault.
bool FileMapping::isCached(std::uint64_t first, std::uint64_t last) const {
    for (const std::uint64_t offset : {first, first + (last - first) / 2, last - 1}) {
        std::byte byte{};
        const iovec target{&byte, 1};
        if (::preadv2(m_source->descriptor(), &target, 1, static_cast<off_t>(offset), RWF_NOWAIT) !=
            1) {
            return false;
        }
    }
    return true;
}

bool FileMapping::run(void (*work)(const void*), const void* it) {
    sigjmp_buf here;
    sigjmp_buf* const outer = guard;
    if (sigsetjmp(here, 0) != 0) {
        guard = outer;
        return false;
    }
    guard = &here;
    work(it);
    guard = outer;
    return true;
}

} // namespace cairn
