// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/confine.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <unistd.h>
#include <vector>

namespace cairn::hdf5 {
namespace {

// A damaged length makes the library allocate more than any valid file of this size needs: an index
// needs a few times the bytes that describe it. 200 MiB cover the program, its libraries and HDF5's
// caches.
constexpr rlim_t kLeastMemory = rlim_t{200} << 20U;
constexpr rlim_t kMostMemory = rlim_t{2} << 30U;
constexpr rlim_t kMemoryPerByte = 64;
constexpr rlim_t kLeastSeconds = 2;
constexpr rlim_t kMostSeconds = 30;
constexpr rlim_t kBytesPerSecond = rlim_t{1} << 20U;

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "Add this processor's AUDIT_ARCH"
#endif

// Some are made by the C library itself: qsort() asks for the memory size before it sorts many
// links, malloc() for the number of processors when memory runs out, time() where there is no vDSO.
constexpr auto kAllowed = std::to_array<unsigned>({
    SYS_read,         SYS_pread64,       SYS_write,
    SYS_writev,       SYS_lseek,         SYS_close,
    SYS_fstat,        SYS_mmap,          SYS_munmap,
    SYS_mprotect,     SYS_mremap,        SYS_madvise,
    SYS_brk,          SYS_futex,         SYS_exit,
    SYS_exit_group,   SYS_rt_sigaction,  SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_clock_gettime, SYS_getrandom,
    SYS_getpid,       SYS_getcwd,        SYS_gettid,
    SYS_tgkill,       SYS_sysinfo,       SYS_sched_getaffinity,
    SYS_gettimeofday,
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_time
    SYS_time,
#endif
});

/// At `value` the process gets a signal, at `most` it ends.
bool limit(__rlimit_resource what, rlim_t value, rlim_t most) {
    rlimit now{};
    if (::getrlimit(what, &now) != 0) {
        return false;
    }
    // The parent process may have set a lower limit; RLIM_INFINITY is the largest value.
    const rlimit both{std::min(value, now.rlim_max), std::min(most, now.rlim_max)};
    return ::setrlimit(what, &both) == 0;
}

bool limit(__rlimit_resource what, rlim_t value) {
    return limit(what, value, value);
}

/// Reports the refused call and ends the process.
void reportRefusedCall(int /*signal*/, siginfo_t* info, void* /*context*/) {
    std::array<char, 16> text{'\n'};
    char* const end =
        std::to_chars(text.data() + 1, text.data() + text.size(), info->si_syscall).ptr;
    const auto length = static_cast<std::size_t>(end - text.data());
    const bool reported =
        ::write(STDOUT_FILENO, text.data(), length) == static_cast<ssize_t>(length);
    ::_exit(reported ? kRefusedCall : kRefusedCall + 1);
}

bool reportRefusedCalls() {
    struct sigaction action {};
    action.sa_sigaction = reportRefusedCall;
    action.sa_flags = SA_SIGINFO;
    return ::sigaction(SIGSYS, &action, nullptr) == 0;
}

sock_filter statement(unsigned code, unsigned value) {
    return {static_cast<unsigned short>(code), 0, 0, value};
}

sock_filter jump(unsigned code, unsigned value, unsigned char yes, unsigned char no) {
    return {static_cast<unsigned short>(code), yes, no, value};
}

} // namespace

bool confine(std::uint64_t fileBytes) {
    const rlim_t memory = std::min(
        kMostMemory, kLeastMemory + kMemoryPerByte * std::min<rlim_t>(fileBytes, kMostMemory));
    const rlim_t seconds =
        std::min<rlim_t>(kMostSeconds, kLeastSeconds + fileBytes / kBytesPerSecond);
    if (!limit(RLIMIT_AS, memory) || !limit(RLIMIT_CPU, seconds, seconds + 1) ||
        !limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) || !reportRefusedCalls()) {
        return false;
    }
    std::vector<sock_filter> filter{
        statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
        statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    };
    for (const unsigned call : kAllowed) {
        filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
        filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_TRAP)); // not executed: raises SIGSYS
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace cairn::hdf5
