// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file_ops.h"
#include "core/io/hash.h"
#include "core/jobs/engine.h"
#include "tests/core/model/synthetic.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

/// Jobs on small checkpoints, with an output whose every byte is computed apart from the engine.
namespace cairn::jobtest {

using test::readFile;
using test::TemporaryFolder;
using test::writeFile;

/// Counts a loop over the system calls of a job, each of which stops it in turn: 0, 1, 2, … until
/// four in a row stopped nothing any more (the calls of several threads vary in number, and so do
/// those of the jobs with one file and with two that some loops take turns with).
class EveryCall {
public:
    [[nodiscard]] bool more() const { return m_missed < 4; }
    std::uint64_t next() {
        ++m_missed;
        return m_at++;
    }
    /// Tells whether the job was stopped at this call; gives it back.
    bool met(bool stopped) {
        m_missed = stopped ? 0 : m_missed;
        m_stopped += stopped ? 1 : 0;
        return stopped;
    }
    [[nodiscard]] std::size_t stopped() const { return m_stopped; }

private:
    std::uint64_t m_at = 0;
    std::size_t m_missed = 0;
    std::size_t m_stopped = 0;
};

/// A plan and the bytes that its files must have.
struct Job {
    CopyPlan plan;
    std::vector<std::vector<std::byte>> expected;
    CheckpointPtr named; ///< whose names the plan borrows, also when a test gives it another source
};

/// Counting tensors cut by rows, columns and both ways, some empty, some a few bytes, some of
/// several chunks; in output files like zip archives: a header with a checksum slot before each
/// tensor, a directory with all slots at the end.
Job randomJob(std::uint32_t seed, std::size_t tensors, std::size_t files,
              const std::filesystem::path& output);

/// A folder of two safetensors files, written by hand in `sources`, to be put into `files` output
/// files that share blocks with them; not all of them: one file's data begins off the beat.
Job sharedJob(std::uint32_t seed, std::size_t files, const std::filesystem::path& sources,
              const std::filesystem::path& output);

/// A file system that shares blocks, as far as anybody can see who only reads: it copies them.
class CopyingShareFileOps final : public FileOps {
public:
    explicit CopyingShareFileOps(FileOps& inner) : m_inner(inner) {}
    long perform(const FileCall& call) override;

private:
    FileOps& m_inner;
};

/// Small chunks and few threads, so that small jobs have seams.
inline EngineOptions smallOptions(bool direct = true) {
    EngineOptions options;
    options.threads = 3;
    options.chunkBytes = std::size_t{64} << 10U;
    options.directIo = direct;
    return options;
}

/// The output's files are what was expected.
void expectOutput(const Job& job);

/// Does something at the n-th system call and passes all of them on.
class HookFileOps final : public FileOps {
public:
    HookFileOps(FileOps& inner, std::uint64_t at, std::function<void()> hook)
        : m_inner(inner), m_at(at), m_hook(std::move(hook)) {}
    long perform(const FileCall& call) override {
        if (m_calls++ == m_at) {
            m_hook();
        }
        return m_inner.perform(call);
    }

private:
    FileOps& m_inner;
    std::uint64_t m_at;
    std::function<void()> m_hook;
    std::atomic<std::uint64_t> m_calls{0};
};

/// Runs the plan in a process of its own that is killed at its n-th system call; false if it ended
/// well before that.
/// `shares`: on a CopyingShareFileOps.
bool runKilled(const CopyPlan& plan, std::uint64_t at, const EngineOptions& options,
               bool shares = false);

} // namespace cairn::jobtest
