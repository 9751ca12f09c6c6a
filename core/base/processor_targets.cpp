// SPDX-License-Identifier: Apache-2.0
//
// What Highway's dispatch asks for: which of its instruction sets this processor and system have.
// Highway's shared library answers it, too, but while it is loaded it also measures the resolution
// of a timer, which takes 3.5 ms of every program's start. Its headers alone are used; a test
// compares the answers.
#include <hwy/highway.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

static_assert(HWY_MAJOR == 1 && HWY_MINOR == 0,
              "CMakeLists.txt compiles this file for that version only");

namespace hwy {
namespace {

std::int64_t forTest = 0;

#if HWY_ARCH_X86

/// Extensions for which compilers have no test, or only the newest: a processor without LZCNT
/// executes another instruction instead.
struct MoreBits {
    bool lzcnt = false;
    bool f16c = false;
    bool vaes = false;

    MoreBits() {
        unsigned a = 0;
        unsigned b = 0;
        unsigned c = 0;
        unsigned d = 0;
        f16c = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
        lzcnt = __get_cpuid(0x80000001U, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
        vaes = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & bit_VAES) != 0;
    }
};

/// The compiler's tests include whether the system keeps the registers.
std::int64_t detected() {
    __builtin_cpu_init();
    const MoreBits more;
    const bool ssse3 = __builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3");
    const bool sse4 = ssse3 && __builtin_cpu_supports("sse4.1") &&
                      __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                      __builtin_cpu_supports("aes");
    const bool avx2 = sse4 && __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("fma") && more.lzcnt && more.f16c;
    const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
    const bool avx3Dl =
        avx3 && more.vaes && __builtin_cpu_supports("avx512vnni") &&
        __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq") &&
        __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("gfni");
    std::int64_t targets = 0;
#ifdef HWY_SSE2
    targets |= HWY_SSE2;
#endif
    targets |= ssse3 ? HWY_SSSE3 : 0;
    targets |= sse4 ? HWY_SSE4 : 0;
    targets |= avx2 ? HWY_AVX2 : 0;
    targets |= avx3 ? HWY_AVX3 : 0;
    targets |= avx3Dl ? HWY_AVX3_DL : 0;
    return targets;
}

#else

std::int64_t detected() {
    return HWY_ENABLED_BASELINE; // elsewhere no more is compiled
}

#endif

} // namespace

HWY_DLLEXPORT std::int64_t SupportedTargets() {
    static const std::int64_t found = detected() | HWY_SCALAR | HWY_EMU128 | HWY_STATIC_TARGET;
    return forTest != 0 ? forTest : found;
}

HWY_DLLEXPORT void SetSupportedTargetsForTest(std::int64_t targets) {
    forTest = targets;
    GetChosenTarget().DeInit(); // the next dispatch asks again
}

HWY_DLLEXPORT ChosenTarget& GetChosenTarget() {
    static ChosenTarget chosen;
    return chosen;
}

HWY_DLLEXPORT HWY_NORETURN void Abort(const char* file, int line, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::fprintf(stderr, "%s:%d: ", file, line);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::abort();
}

} // namespace hwy
