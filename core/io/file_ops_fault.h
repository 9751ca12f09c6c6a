// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file_ops.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

/// FileOps for tests: simulated failures, and a record of a job's calls in order.
namespace cairn {

/// Which call fails, and how.
struct FaultPlan {
    std::uint64_t at =
        0; ///< position of the first failing call, counted from 0 among those of `only`
    bool fromThenOn = false; ///< fail all later calls, too
    int errnoValue = 0;      ///< 0: a short write instead (half of the bytes, at least one)
    std::optional<FileCallKind> only; ///< empty: every kind counts
    bool spareRemoval =
        false; ///< removals and closes succeed: "disk full" rather than "disk failed"
};

/// Forwards calls, except those that the plan lets fail; failed calls are not forwarded, except
/// Close.
class FaultFileOps final : public FileOps {
public:
    FaultFileOps(FileOps& inner, FaultPlan plan) : m_inner(inner), m_plan(plan) {}
    long perform(const FileCall& call) override;
    [[nodiscard]] std::uint64_t calls() const;  ///< counted so far
    [[nodiscard]] std::uint64_t faults() const; ///< injected so far

private:
    FileOps& m_inner;
    FaultPlan m_plan;
    mutable std::mutex m_mutex;
    std::uint64_t m_calls = 0;
    std::uint64_t m_faults = 0;
};

/// One recorded call.
struct RecordedCall {
    FileCallKind kind{};
    int fd = -1;
    std::string name;
    std::string toName;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    long result = 0;
};

/// Forwards calls and records them in the order in which they returned.
class RecordFileOps final : public FileOps {
public:
    explicit RecordFileOps(FileOps& inner) : m_inner(inner) {}
    long perform(const FileCall& call) override;
    [[nodiscard]] std::vector<RecordedCall> calls() const;

private:
    FileOps& m_inner;
    mutable std::mutex m_mutex;
    std::vector<RecordedCall> m_calls;
};

} // namespace cairn
