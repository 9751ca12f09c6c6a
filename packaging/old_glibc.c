// SPDX-License-Identifier: Apache-2.0
// What code that was compiled with a newer glibc asks for and glibc 2.17 does not have. Linked into
// the Python module of the wheel, with the libraries that old_glibc.py makes; hidden there, so that
// nothing else in the process sees it. Each does what glibc's own function does on x86-64, mostly
// the system call of the same name. What is missing here is an undefined symbol, which stage.sh
// refuses.

#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// Some of these are not in glibc's headers.
int stat64(const char* path, struct stat64* out);
int lstat64(const char* path, struct stat64* out);
int fstat64(int descriptor, struct stat64* out);
int fcntl64(int descriptor, int command, ...);
int waitUntilRealtime(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                      const struct timespec* until);
int __cxa_thread_atexit_impl(void (*run)(void*), void* object, void* library);
unsigned arc4random(void);

// 2.33; before that they were in libc_nonshared.a. struct stat is the kernel's, struct stat64 the
// same.
int stat(const char* path, struct stat* out) {
    return (int)syscall(SYS_stat, path, out);
}
int lstat(const char* path, struct stat* out) {
    return (int)syscall(SYS_lstat, path, out);
}
int fstat(int descriptor, struct stat* out) {
    return (int)syscall(SYS_fstat, descriptor, out);
}
int fstatat(int folder, const char* path, struct stat* out, int flags) {
    return (int)syscall(SYS_newfstatat, folder, path, out, flags);
}
int stat64(const char* path, struct stat64* out) {
    return (int)syscall(SYS_stat, path, out);
}
int lstat64(const char* path, struct stat64* out) {
    return (int)syscall(SYS_lstat, path, out);
}
int fstat64(int descriptor, struct stat64* out) {
    return (int)syscall(SYS_fstat, descriptor, out);
}

// 2.27
int memfd_create(const char* name, unsigned flags) {
    return (int)syscall(SYS_memfd_create, name, flags);
}

// 2.28: fcntl for files above 2 GiB, which every fcntl on x86-64 is.
int fcntl64(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    return fcntl(descriptor, command, argument);
}

// 2.28; Linux 4.11. An older kernel answers ENOSYS, for which callers use stat.
int statx(int folder, const char* restrict path, int flags, unsigned int mask,
          struct statx* restrict out) {
    return (int)syscall(SYS_statx, folder, path, flags, mask, out);
}

// 2.26; Linux 4.6. The kernel takes the offset in two halves, the first of which holds all of it.
ssize_t preadv2(int descriptor, const struct iovec* parts, int count, off_t offset, int flags) {
    return syscall(SYS_preadv2, descriptor, parts, count, offset, 0L, flags);
}

// 2.25; Linux 3.17. An older kernel answers ENOSYS, for which callers read /dev/urandom.
int getentropy(void* out, size_t bytes) {
    if (bytes > 256) {
        errno = EIO;
        return -1;
    }
    for (size_t done = 0; done < bytes;) {
        const long got = syscall(SYS_getrandom, (char*)out + done, bytes - done, 0);
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

// 2.36: std::random_device. Without any source of random numbers it ends the process, as glibc's.
unsigned arc4random(void) {
    unsigned value = 0;
    if (getentropy(&value, sizeof value) == 0) {
        return value;
    }
    const int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (source < 0 || read(source, &value, sizeof value) != (ssize_t)sizeof value) {
        abort();
    }
    close(source);
    return value;
}

// The end of a wait as a time of the clock that conditions have waited for since always.
int waitUntilRealtime(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                      const struct timespec* until) {
    enum { kSecond = 1000000000 };
    struct timespec now;
    struct timespec real;
    if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &real) != 0) {
        return EINVAL;
    }
    real.tv_sec += until->tv_sec - now.tv_sec;
    real.tv_nsec += until->tv_nsec - now.tv_nsec;
    if (real.tv_nsec >= kSecond) {
        real.tv_nsec -= kSecond;
        ++real.tv_sec;
    } else if (real.tv_nsec < 0) {
        real.tv_nsec += kSecond;
        --real.tv_sec;
    }
    return real.tv_sec < 0 ? ETIMEDOUT : pthread_cond_timedwait(condition, mutex, &real);
}

// 2.30. glibc's own where there is one: only that is right when somebody sets the system's time.
int pthread_cond_clockwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           clockid_t clock, const struct timespec* restrict until) {
    typedef int Wait(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
    static Wait* chosen;
    Wait* wait = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (wait == NULL) {
        void* const found = dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
        wait = found != NULL ? (Wait*)found : waitUntilRealtime;
        __atomic_store_n(&chosen, wait, __ATOMIC_RELAXED);
    }
    return wait(condition, mutex, clock, until);
}

// 2.18: the destructors of thread_local objects, run when their thread ends, the last one first;
// those of the thread that ends the process, before static objects are destroyed.
struct Ending {
    void (*run)(void*);
    void* object;
    struct Ending* next;
};
static pthread_key_t endings;
static pthread_once_t endingsMade = PTHREAD_ONCE_INIT;

static void runEndings(void* first) {
    struct Ending* each = first;
    while (each != NULL) {
        struct Ending* const next = each->next;
        each->run(each->object);
        free(each);
        each = next;
    }
}

static void runOwnEndings(void) {
    // a destructor may make further objects
    for (void* first; (first = pthread_getspecific(endings)) != NULL;) {
        pthread_setspecific(endings, NULL);
        runEndings(first);
    }
}

static void makeEndings(void) {
    if (pthread_key_create(&endings, runEndings) != 0 || atexit(runOwnEndings) != 0) {
        abort();
    }
}

int __cxa_thread_atexit_impl(void (*run)(void*), void* object, void* library) {
    (void)library; // extensions of Python stay loaded
    pthread_once(&endingsMade, makeEndings);
    struct Ending* const ending = malloc(sizeof *ending);
    if (ending == NULL) {
        abort(); // as glibc
    }
    *ending = (struct Ending){run, object, pthread_getspecific(endings)};
    pthread_setspecific(endings, ending);
    return 0;
}

// 2.32: whether the process has never had a second thread. "May have one" is always true.
char __libc_single_threaded = 0;

// Debian's archives are compiled for programs, which have variables of this name of their own. So
// has the module, with glibc's values.
#undef stdin
#undef stdout
#undef stderr
FILE* stdin;
FILE* stdout;
FILE* stderr;

static FILE* stream(const char* name) {
    FILE** const found = dlsym(RTLD_DEFAULT, name);
    return found != NULL ? *found : NULL;
}

__attribute__((constructor(101))) static void findStreams(void) { // before all others
    stdin = stream("stdin");
    stdout = stream("stdout");
    stderr = stream("stderr");
}
