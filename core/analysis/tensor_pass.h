// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/tensor_reader.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn {

/// Calls `work(i)` for i in [0, count) on `threads` threads (0: up to 4), each index once, in
/// roughly ascending order. `work` must be thread-safe. Returns when all calls have returned; hands
/// out no further indices once cancelled, or once a call threw: the first exception (usually
/// bad_alloc) then leaves this function on the caller's thread.
void forEachParallel(std::size_t count, std::size_t threads, const CancelToken& cancel,
                     const std::function<void(std::size_t)>& work);

/// Working memory of one thread.
struct PassBuffer {
    static constexpr std::size_t kChunk = std::size_t{4} << 20U;
    std::vector<std::byte> bytes;
    TensorReader::Scratch scratch;
};

/// Fails with LimitExceeded for a view that repeats a few stored bytes excessively.
Result<void> checkExpansion(const TensorEntry& tensor, const TensorReader& reader);

/// Whether checkExpansion() may fail, as far as the index shows: memory for the declared elements
/// must not be allocated.
bool mayExpand(const TensorEntry& tensor);

/// Fails with ChangedOnDisk if a file of the reader has changed.
Result<void> checkUnchanged(const TensorReader& reader);

/// False if elements are decoded from a stream (zstd, deflate), which is only fast in ascending
/// order.
bool hasRandomAccess(const Checkpoint& checkpoint, const TensorEntry& tensor);

/// Passes the tensor's elements (dense, C order, little-endian) to `sink` in chunks of complete
/// elements, in order; strings in their canonical form (string_elements.h). Adds to `progress` (may
/// be null). Fails with the errors of reading, Cancelled, the errors of `sink`, or LimitExceeded
/// for a view that repeats a few stored bytes excessively.
Result<void> streamTensor(const Checkpoint& checkpoint, const TensorEntry& tensor,
                          const CancelToken& cancel, std::atomic<std::uint64_t>* progress,
                          PassBuffer& buffer,
                          const std::function<Result<void>(std::span<const std::byte>)>& sink);

} // namespace cairn
