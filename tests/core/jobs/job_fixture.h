// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file_ops.h"
#include "core/io/hash.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/record/verify_result.h"
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

/// Jobs on small checkpoints, with an output whose bytes are computed independently of the engine.
namespace cairn::jobtest {

using test::readFile;
using test::TemporaryFolder;
using test::writeFile;

/// Counts a loop over the system calls of a job, stopping it at each of them in turn: 0, 1, 2, …
/// until four in a row stopped nothing (the number of calls varies with several threads, and
/// between the kinds of jobs that some loops alternate).
class EveryCall {
public:
    [[nodiscard]] bool more() const { return m_missed < 4; }
    std::uint64_t next() {
        ++m_missed;
        return m_at++;
    }
    /// Records whether the job was stopped at this call; returns it.
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

/// A plan and the expected bytes of its files.
struct Job {
    CopyPlan plan;
    std::vector<std::vector<std::byte>> expected;
    CheckpointPtr
        named; ///< the plan refers to its names, even if a test replaces the plan's source
};

/// Counting tensors cut by rows, columns and both, some empty, some of a few bytes, some of several
/// chunks. The output files are like zip archives: a header with a checksum slot before each
/// tensor, and a directory with all slots at the end.
Job randomJob(std::uint32_t seed, std::size_t tensors, std::size_t files,
              const std::filesystem::path& output);

/// Two safetensors files, written by hand in the folder `sources`, to be written into `files`
/// output files that share blocks with them; one file's data is not aligned and cannot be shared.
Job sharedJob(std::uint32_t seed, std::size_t files, const std::filesystem::path& sources,
              const std::filesystem::path& output);

/// Imitates a file system that shares blocks, as far as a reader can tell: it copies them.
class CopyingShareFileOps final : public FileOps {
public:
    explicit CopyingShareFileOps(FileOps& inner) : m_inner(inner) {}
    long perform(const FileCall& call) override;

private:
    FileOps& m_inner;
};

/// Small chunks and few threads, so that small jobs have chunk boundaries.
inline EngineOptions smallOptions(bool direct = true) {
    EngineOptions options;
    options.threads = 3;
    options.chunkBytes = std::size_t{64} << 10U;
    options.directIo = direct;
    return options;
}

/// The output's files are what was expected.
void expectOutput(const Job& job);

/// Calls a function at the n-th system call and passes all calls on.
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

/// Of a comparison that failed; empty: none.
inline std::string firstMismatch(const VerifyResult& result) {
    if (result.mismatches.empty()) {
        return {};
    }
    const Mismatch& first = result.mismatches.front();
    return first.what + " " + first.name + ": " + first.message.text();
}

/// Works in a process that is killed at its n-th system call; false if it finished before that.
/// `shares`: on a CopyingShareFileOps.
bool isKilled(std::uint64_t at, const std::function<bool(FileOps&, JobContext&)>& work,
              bool shares = false);
bool runKilled(const CopyPlan& plan, std::uint64_t at, const EngineOptions& options,
               bool shares = false);

} // namespace cairn::jobtest
