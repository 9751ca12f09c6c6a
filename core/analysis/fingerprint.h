// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/hash.h"
#include "core/model/checkpoint.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// The hash of one logical tensor, or its error.
struct TensorHash {
    TensorIndex tensor;
    Sha256Digest sha256{};
    std::optional<Error> error;
};

/// Hashes that do not depend on format or sharding.
///
/// A tensor's hash is the SHA-256 of its elements in C order, little-endian, at the stored dtype.
/// The fingerprint is the SHA-256 of one line for each tensor, sorted by name as bytes:
///     <name> TAB <dtype> TAB <shape> TAB <sha256> LF
/// with backslash, TAB and LF in names written as "\\", "\t", "\n", the shape as formatDims()
/// writes it ("[3, 4]") and the hash in lower-case hexadecimal. Aliases count like any other name.
struct Fingerprint {
    std::vector<TensorHash> tensors;   ///< in the requested order
    std::optional<Sha256Digest> whole; ///< empty if a tensor could not be read
    std::optional<Error> firstError;
    std::uint64_t bytes = 0; ///< bytes hashed
};

struct FingerprintOptions {
    CancelToken cancel;
    std::size_t threads = 0;                        ///< 0: one per processor, up to 4
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the bytes processed
};

/// Reads every byte of the given tensors, twice if a file may be changing unnoticed
/// (tensorsBeingWritten() in read_check.h): if the second result differs, firstError is
/// ChangedOnDisk, and there is no fingerprint. Memory: 4 MiB and a scratch buffer a thread. An
/// unreadable tensor gets its error and the others continue. Fails only with Cancelled.
Result<Fingerprint> fingerprint(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
                                const FingerprintOptions& options = {});

/// Name, dtype, shape and hash in the form of the line above.
std::string fingerprintLine(const TensorEntry& tensor, const Sha256Digest& sha256);

} // namespace cairn
