# SPDX-License-Identifier: Apache-2.0
"""Threads, processes, interruption."""

import os
import signal
import subprocess
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import SAMPLE, FolderTest

import cairn

STEP = SAMPLE / "tiny-llama-a/step-400"


class Threads(FolderTest):
    def test_many_read_one_checkpoint(self):
        c = cairn.open(STEP)
        expected = {name: t.tobytes() for name, t in c.items()}

        def read(seed):
            names = list(expected)[seed % 7 :: 3]
            return all(c[name].tobytes() == expected[name] and c.values is not None for name in names)

        with ThreadPoolExecutor(8) as pool:
            self.assertTrue(all(pool.map(read, range(64))))

    def test_failures_in_threads(self):
        path = self.counting(64, 1024)
        c = cairn.open(path)
        path.unlink()

        def read(_):
            try:
                c["t"].numpy()
            except cairn.Error as error:
                return error.code, error.where.file, threading.current_thread().name
            return None

        with ThreadPoolExecutor(4) as pool:
            for found in pool.map(read, range(32)):
                self.assertEqual(found[0], "missing-shard" if found[0] == "missing-shard" else "not-found")
                self.assertIn("model.safetensors", found[1])

    def test_other_threads_run_meanwhile(self):
        """A verb and a large read release the GIL."""
        path = self.sparse(1)
        t = cairn.open(path)["t"]
        for work in (lambda: cairn.hash(path), lambda: t[: 2**16].numpy()):
            counted = [0]
            ended = threading.Event()

            def count(counted=counted, ended=ended):
                while not ended.is_set():
                    counted[0] += 1

            thread = threading.Thread(target=count)
            before = 0
            thread.start()
            try:
                before = counted[0]
                work()
            finally:
                ended.set()
                thread.join()
            self.assertGreater(counted[0] - before, 1000)

    def test_verbs_in_threads(self):
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: cairn.hash(STEP)["fingerprint"], range(8)))
        self.assertEqual(len(set(found)), 1)


class Interruption(FolderTest):
    def raise_after(self, seconds):
        def stop(number, frame):
            raise KeyboardInterrupt

        previous = signal.signal(signal.SIGALRM, stop)
        self.addCleanup(signal.signal, signal.SIGALRM, previous)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def test_of_a_verb(self):
        path = self.sparse(512)  # minutes of work
        self.raise_after(0.2)
        with self.assertRaises(KeyboardInterrupt):
            cairn.hash(path)
        self.assertEqual(cairn.open(path)["t"][5].numpy().sum(), 0)

    def test_of_a_read(self):
        path = self.counting(1, name="small.safetensors")
        t = cairn.open(self.sparse(512))["t"][:, ::-1024]  # every page of the file
        self.raise_after(0.2)
        with self.assertRaises(KeyboardInterrupt):
            t.numpy()
        self.assertEqual(cairn.open(path)["t"].item(), 0)

    def test_ctrl_c(self):
        """As a terminal sends it: the process ends with KeyboardInterrupt."""
        # A process that a script started in the background ignores SIGINT, and Python then has no handler of its own.
        program = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import cairn; print('started', flush=True); " \
                  f"cairn.hash({str(self.sparse(512))!r})"
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "started\n")
            process.send_signal(signal.SIGINT)
            try:
                _, errors = process.communicate(timeout=60)
            finally:
                process.kill()  # nothing if it has ended
        self.assertIn("KeyboardInterrupt", errors)
        self.assertEqual(process.returncode, -signal.SIGINT)


class Processes(FolderTest):
    def in_child(self, work):
        """The exit code of a forked child: 0 if `work` returned True."""
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if work() else 1)
            except BaseException:
                os._exit(2)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_a_forked_child_reads(self):
        c = cairn.open(STEP)
        expected = c["lm_head.weight"].tobytes()
        fingerprint = cairn.hash(c)["fingerprint"]
        self.assertEqual(self.in_child(lambda: c["lm_head.weight"].tobytes() == expected), 0)
        self.assertEqual(self.in_child(lambda: c["model.norm.weight"][0].numpy() is not None and cairn.hash(c)["fingerprint"] == fingerprint), 0)

    def test_a_child_of_a_process_that_reads(self):
        """Forked while other threads are in the core."""
        c = cairn.open(STEP)
        expected = c["lm_head.weight"].tobytes()
        ended = threading.Event()

        def read():
            while not ended.is_set():
                c["lm_head.weight"].tobytes()

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(20):
                self.assertEqual(self.in_child(lambda: cairn.open(STEP)["lm_head.weight"].tobytes() == expected), 0)
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    def test_workers_of_a_pool(self):
        import multiprocessing

        t = cairn.open(STEP)["lm_head.weight"]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(read_part, [t[:3], t[3:5]]), [t[:3].tobytes(), t[3:5].tobytes()])
            with self.assertRaises(cairn.Error) as raised:
                pool.apply(cairn.open, [str(self.folder / "nothing")])
        self.assertEqual((raised.exception.code, raised.exception.where.file), ("not-found", str(self.folder / "nothing")))


def read_part(part):
    return part.tobytes()


if __name__ == "__main__":
    unittest.main()
