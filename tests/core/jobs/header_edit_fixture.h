// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/io/file_ops_fault.h"
#include "core/jobs/header_edit/header_edit.h"
#include "tests/core/jobs/job_fixture.h"

#include <map>
#include <random>

/// Edits of small safetensors files, written by hand.
namespace cairn::edittest {

using namespace jobtest;

inline constexpr std::uint64_t kDataBytes = 3 * 4096 * 7 + 12; ///< of the file's tensors

/// `a.safetensors` in the folder: three tensors named "module.…" and metadata; `room` spaces at the
/// header's end.
std::filesystem::path writeSample(const TemporaryFolder& folder, std::size_t room);

/// strip-wrappers, which needs no room, and metadata.
HeaderChanges shorter();
/// Longer names and a note, which need `bytes` more.
HeaderChanges longer(std::size_t bytes);

/// True where the folder's file system can insert blocks.
bool canInsert(const TemporaryFolder& folder);

/// Everything after the header in the file's present form.
std::vector<std::byte> dataOf(const std::filesystem::path& path);

/// Plans and applies; the file's new bytes. Fails the test if that fails.
std::vector<std::byte> editedBytes(const TemporaryFolder& folder, std::size_t room,
                                   const HeaderChanges& changes);

/// Fails the n-th call and all later ones, like a process that is killed there; a write may be half
/// done. It can also act like a disk that loses power: some of the sectors written since the last
/// sync are restored to their old content.
class StoppingFileOps final : public FileOps {
public:
    struct Stop {
        std::uint64_t at = 0;
        bool half = false; ///< the write at which it stops is half done
        bool cut = false;
        std::uint32_t seed = 0;
    };
    StoppingFileOps(FileOps& inner, Stop stop)
        : m_inner(inner), m_stop(stop), m_random(stop.seed) {}
    long perform(const FileCall& call) override;
    [[nodiscard]] bool stopped() const { return m_stopped; }
    [[nodiscard]] std::uint64_t calls() const { return m_calls; }

private:
    void remember(const FileCall& call);
    void cutPower(int fd);

    FileOps& m_inner;
    Stop m_stop;
    std::mt19937 m_random;
    std::uint64_t m_calls = 0;
    bool m_stopped = false;
    std::map<std::pair<int, std::uint64_t>, std::vector<std::byte>> m_unsynced; ///< by sector
};

} // namespace cairn::edittest
