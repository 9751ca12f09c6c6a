// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/hash.h"
#include "core/model/checkpoint.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Files and tensors with the same content, whatever the format and the sharding of the tensors.
namespace cairn {

/// Where one copy of a content is.
struct DuplicatePlace {
    std::filesystem::path path; ///< of the file, or of the tensor's checkpoint
    std::string tensor;         ///< empty: the complete file
    bool shared = false; ///< the same bytes on the disk as an earlier place: another name of the
                         ///< file, shared blocks, a tied weight, or a file that is a duplicate
};

struct DuplicateGroup {
    Sha256Digest sha256{}; ///< of the file; of a tensor as in Fingerprint
    std::uint64_t bytes = 0;
    std::vector<DuplicatePlace> places; ///< at least two
    std::uint64_t reclaimable = 0;      ///< bytes of all copies but one
    bool isFile = false;
    /// All elements are zero, as in a fresh optimizer: nothing that anybody copied, so that nothing
    /// is reclaimable.
    bool zeros = false;
};

struct Duplicates {
    std::vector<DuplicateGroup> groups; ///< most reclaimable first; at most kMaxGroups
    std::uint64_t reclaimable = 0;      ///< of all groups; what is in copies of a file counts
                                        ///< with the file
    std::uint64_t files = 0;            ///< examined
    std::uint64_t checkpoints = 0;
    std::uint64_t tensors = 0;
    std::uint64_t bytesRead = 0;
    std::uint64_t moreGroups = 0; ///< beyond kMaxGroups
    std::vector<Notice> notices;  ///< what could not be read; at most kMaxNotices
    static constexpr std::size_t kMaxGroups = 10'000;
    static constexpr std::size_t kMaxNotices = 100;
};

/// What is compared: all files, and the tensors of all checkpoints, which `open` opens.
struct DuplicateInput {
    std::vector<std::filesystem::path> files;
    std::vector<std::filesystem::path> checkpoints;
    std::function<Result<CheckpointPtr>(const std::filesystem::path&)> open;
};

struct DuplicateOptions {
    CancelToken cancel;
    std::uint64_t smallest = 1;                     ///< ignore files and tensors of fewer bytes
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the bytes processed
    std::atomic<std::uint64_t>* total = nullptr;    ///< set when it is known
};

/// Compares sizes, dtypes and shapes first, then a few sampled blocks, and hashes completely only
/// what is still equal. Tensors of one element (counters) and strings are ignored. Memory: 32 bytes
/// a tensor, at most kMaxTensors, 4 MiB a thread, and the indexes of the checkpoints that are open:
/// up to kTensorsKept tensors. An unreadable file, checkpoint or tensor becomes a notice. Fails
/// only with Cancelled. Any thread; blocks.
Result<Duplicates> findDuplicates(const DuplicateInput& input,
                                  const DuplicateOptions& options = {});
inline constexpr std::size_t kMaxDuplicateTensors = 20'000'000;
inline constexpr std::size_t kTensorsKept = 500'000;

} // namespace cairn
