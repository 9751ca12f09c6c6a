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

/// Calls `work(i)` for i in [0, count) on `threads` threads (0: up to 4), each index once, in about
/// rising order. `work` must be safe to call from several threads. Returns when all calls have;
/// stops handing out indices once cancelled, or once a call threw: the first exception (bad_alloc
/// at the mercy of the system) then leaves this function on the caller's thread.
void forEachParallel(std::size_t count, std::size_t threads, const CancelToken& cancel,
                     const std::function<void(std::size_t)>& work);

/// Working memory of one thread's passes.
struct PassBuffer {
    static constexpr std::size_t kChunk = std::size_t{4} << 20U;
    std::vector<std::byte> bytes;
    TensorReader::Scratch scratch;
};

/// Fails with LimitExceeded for a view that repeats few stored bytes without end.
Result<void> checkExpansion(const TensorEntry& tensor, const TensorReader& reader);

/// True where checkExpansion() may fail, as far as the index alone shows: nothing may be allocated
/// for the elements that the tensor declares.
bool mayExpand(const TensorEntry& tensor);

/// ChangedOnDisk when a file that the reader holds is not what it was.
Result<void> checkUnchanged(const TensorReader& reader);

/// False when elements are decoded from a stream (zstd, deflate), which is only fast in rising
/// order.
bool hasRandomAccess(const Checkpoint& checkpoint, const TensorEntry& tensor);

/// Gives the tensor's elements (dense, C order, little-endian) to `sink` in chunks of whole
/// elements, in order; of strings the canonical form (string_elements.h). Adds to `progress` (may
/// be null). Fails with the errors of reading, Cancelled, what `sink` states, or LimitExceeded for
/// a view that repeats few stored bytes without end.
Result<void> streamTensor(const Checkpoint& checkpoint, const TensorEntry& tensor,
                          const CancelToken& cancel, std::atomic<std::uint64_t>* progress,
                          PassBuffer& buffer,
                          const std::function<Result<void>(std::span<const std::byte>)>& sink);

} // namespace cairn
