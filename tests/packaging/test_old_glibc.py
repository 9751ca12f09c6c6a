#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/old_glibc.py and old_glibc.c: what is linked with them runs with glibc 2.17 and behaves as with the system's."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


def build(*arguments: object) -> None:
    done = subprocess.run(["cc", "-shared", "-fPIC", "-O1", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(done.stderr)


def versions(path: Path) -> dict[str, tuple[int, ...]]:
    """The versions of the symbols that a library needs."""
    listed = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
    return {name: tuple(map(int, text.split("."))) for text, name in re.findall(r"\*UND\*.*\(?GLIBC_([\d.]+)\)?\s+(\S+)$", listed, re.MULTILINE)}


class OldGlibc(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-glibc-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        subprocess.run([sys.executable, PACKAGING / "old_glibc.py", cls.folder / "old", "2.17"], check=True)
        cls.source = cls.folder / "caller.c"
        cls.source.write_text("""#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <stdio.h>
static void* twice(void* x) { *(double*)x *= 2; return x; }
double call(const char* path, double x) {
    char copy[64];
    struct stat status;
    pthread_t thread;
    memcpy(copy, path, strlen(path) + 1);
    if (stat(copy, &status) != 0 || pthread_create(&thread, NULL, twice, &x) != 0 || pthread_join(thread, NULL) != 0) return -1;
    return dlsym(RTLD_DEFAULT, "pow") ? exp(log(x)) : pow(x, fprintf(stdout, ""));
}
""")
        build("-o", cls.folder / "replacements.so", PACKAGING / "old_glibc.c", "-ldl")
        cls.made = ctypes.CDLL(str(cls.folder / "replacements.so"), use_errno=True)

    def test_what_is_linked_needs_nothing_newer(self) -> None:
        ours, systems = self.folder / "ours.so", self.folder / "systems.so"
        build("-o", systems, self.source, "-lm")
        self.assertGreater(max(versions(systems).values()), (2, 17))  # or there is nothing to do
        build("-o", ours, self.source, PACKAGING / "old_glibc.c", f"-L{self.folder}/old", "-fvisibility=hidden",
              "-Wl,--no-as-needed", "-lpthread", "-ldl", "-lm", "-Wl,-z,defs")
        needed = versions(ours)
        self.assertLessEqual(max(needed.values()), (2, 17))
        self.assertEqual((needed["memcpy"], needed["exp"], needed["pthread_create"], needed["dlsym"]), ((2, 14), *((2, 2, 5),) * 3))

    def test_it_runs(self) -> None:
        ours = self.folder / "visible.so"
        build("-o", ours, self.source, PACKAGING / "old_glibc.c", f"-L{self.folder}/old", "-lpthread", "-ldl", "-lm")
        call = ctypes.CDLL(str(ours)).call
        call.restype, call.argtypes = ctypes.c_double, (ctypes.c_char_p, ctypes.c_double)
        self.assertAlmostEqual(call(b"/", 21.0), 42.0)
        self.assertEqual(call(b"/nothing/there", 21.0), -1.0)

    def test_what_is_newer_is_undefined(self) -> None:
        with self.assertRaisesRegex(ValueError, "undefined reference to `stat'"):
            build("-o", self.folder / "no.so", self.source, f"-L{self.folder}/old", "-lpthread", "-ldl", "-lm", "-Wl,-z,defs")

    def test_stat(self) -> None:
        path, link = self.folder / "file", self.folder / "link"
        path.write_bytes(b"x" * 1234)
        link.symlink_to(path)
        descriptor = os.open(path, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        systems = ctypes.CDLL(None)
        for name in ("stat", "lstat", "fstat", "stat64", "lstat64", "fstat64"):
            which = descriptor if name[0] == "f" else str(link).encode()
            ours, theirs = ctypes.create_string_buffer(144), ctypes.create_string_buffer(144)
            self.assertEqual((getattr(self.made, name)(which, ours), getattr(systems, name)(which, theirs)), (0, 0))
            self.assertEqual(ours.raw, theirs.raw, name)
        buffer = ctypes.create_string_buffer(144)
        self.assertEqual(self.made.fstatat(-100, str(path).encode(), buffer, 0), 0)  # AT_FDCWD
        self.assertEqual(self.made.stat(str(self.folder / "none").encode(), buffer), -1)
        self.assertEqual(ctypes.get_errno(), errno.ENOENT)

    def test_random_bytes(self) -> None:
        first, second = ctypes.create_string_buffer(256), ctypes.create_string_buffer(256)
        self.assertEqual((self.made.getentropy(first, 256), self.made.getentropy(second, 256)), (0, 0))
        self.assertNotEqual(first.raw, second.raw)
        self.assertEqual((self.made.getentropy(first, 257), ctypes.get_errno()), (-1, errno.EIO))

    def test_reading_at_an_offset(self) -> None:
        """Above 4 GiB, too: the kernel takes the offset in halves."""
        path = self.folder / "large"
        with path.open("wb") as file:
            file.seek(2**32 + 5)
            file.write(b"end")
        buffer = ctypes.create_string_buffer(8)
        part = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
        with path.open("rb") as file:
            self.assertEqual(self.made.preadv2(file.fileno(), part, 1, ctypes.c_int64(2**32 + 5), 0), 3)
            self.assertEqual(buffer.raw[:3], b"end")
            self.assertEqual(self.made.fcntl64(file.fileno(), 3), os.O_RDONLY | 0o100000)  # F_GETFL

    def test_waiting_until_a_time(self) -> None:
        condition, mutex = ctypes.create_string_buffer(48), ctypes.create_string_buffer(40)  # initialised by zeros
        for wait in (self.made.pthread_cond_clockwait, self.made.waitUntilRealtime):
            for clock in (time.CLOCK_MONOTONIC, time.CLOCK_REALTIME):
                until = time.clock_gettime_ns(clock) + 60_000_000
                self.assertEqual(self.made.pthread_mutex_lock(mutex), 0)
                begin = time.monotonic_ns()
                self.assertEqual(wait(condition, mutex, clock, (ctypes.c_long * 2)(*divmod(until, 10**9))), errno.ETIMEDOUT)
                passed = time.monotonic_ns() - begin
                self.assertEqual(self.made.pthread_mutex_unlock(mutex), 0)
                self.assertTrue(55e6 < passed < 1e9, passed)
                long_ago = (ctypes.c_long * 2)(-(10**12), 0)
                self.assertEqual(self.made.pthread_mutex_lock(mutex), 0)
                if wait is self.made.waitUntilRealtime:
                    self.assertEqual(wait(condition, mutex, clock, long_ago), errno.ETIMEDOUT)
                self.assertEqual(self.made.pthread_mutex_unlock(mutex), 0)

    def test_the_ends_of_threads(self) -> None:
        """Objects of a thread are destroyed when it ends, the last one first, also one that a destructor makes; those of the
        first thread before the functions of atexit that were there before. And stdout is the system's."""
        program = self.folder / "ends"
        (self.folder / "ends.cpp").write_text("""
#include <cstdio>
#include <cstdlib>
#include <thread>
struct Says { const char* name; explicit Says(const char* n) : name(n) {} ~Says(); };
void late() { static thread_local Says made("late"); (void)made.name; }
Says::~Says() { std::fprintf(stdout, "%s\\n", name); std::fflush(stdout); if (*name == 'a') late(); }
void use(const char* first, const char* second) {
    static thread_local Says one(first); static thread_local Says two(second); std::printf("%s %s\\n", one.name, two.name);
}
int main() {
    std::atexit([] { std::puts("atexit"); });
    std::thread(use, "a", "b").join();
    use("c", "d");
}
""")
        subprocess.run(["cc", "-c", "-fPIC", "-fvisibility=hidden", PACKAGING / "old_glibc.c", "-o", self.folder / "hidden.o"], check=True)
        done = subprocess.run(["c++", "-static-libstdc++", "-o", program, self.folder / "ends.cpp", self.folder / "hidden.o"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split("\n")
        self.assertEqual(said, ["a b", "b", "a", "late", "c d", "d", "c", "atexit", ""])


if __name__ == "__main__":
    unittest.main()
