// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/fingerprint.h"

#include "core/analysis/read_check.h"
#include "core/analysis/tensor_pass.h"
#include "core/base/endian.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

std::string escapedName(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c == '\\') {
            out += "\\\\";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\n') {
            out += "\\n";
        } else {
            out += c;
        }
    }
    return out;
}

TensorHash hashOne(const Checkpoint& checkpoint, TensorIndex index,
                   const FingerprintOptions& options) {
    thread_local PassBuffer buffer;
    TensorHash result{index, {}, std::nullopt};
    const TensorEntry& tensor = checkpoint.tensor(index);
    Sha256 sha;
    auto done = streamTensor(checkpoint, tensor, options.cancel, options.progress, buffer,
                             [&](std::span<const std::byte> bytes) -> Result<void> {
                                 sha.add(bytes);
                                 return {};
                             });
    if (done) {
        result.sha256 = sha.finish();
    } else {
        result.error = std::move(done).error();
        if (result.error->where.tensor.empty()) {
            result.error->where.tensor = tensor.name;
        }
    }
    return result;
}

Sha256Digest fullHash(const Checkpoint& checkpoint, std::span<const TensorHash> hashes) {
    std::vector<const TensorHash*> sorted;
    sorted.reserve(hashes.size());
    for (const TensorHash& hash : hashes) {
        sorted.push_back(&hash);
    }
    std::ranges::sort(sorted, {}, [&](const TensorHash* hash) -> const std::string& {
        return checkpoint.tensor(hash->tensor).name;
    });
    Sha256 sha;
    for (const TensorHash* hash : sorted) {
        sha.add(asBytes(fingerprintLine(checkpoint.tensor(hash->tensor), hash->sha256)));
    }
    return sha.finish();
}

/// Hashes tensors again whose files may be changing unnoticed.
std::optional<Error> findChange(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
                                const Fingerprint& first, const FingerprintOptions& options) {
    if (auto unchanged = checkFilesUnchanged(checkpoint, tensors); !unchanged) {
        return std::move(unchanged).error();
    }
    const std::vector<TensorIndex> again = tensorsBeingWritten(checkpoint, tensors);
    std::vector<TensorHash> second(again.size());
    FingerprintOptions silent = options;
    silent.progress = nullptr; // the progress total does not include this pass
    forEachParallel(again.size(), options.threads, options.cancel,
                    [&](std::size_t i) { second[i] = hashOne(checkpoint, again[i], silent); });
    if (options.cancel.cancelled()) {
        return std::nullopt;
    }
    std::size_t at = 0; // both are in the order of `tensors`
    for (const TensorHash& hash : second) {
        while (first.tensors[at].tensor != hash.tensor) {
            ++at;
        }
        if (hash.error || hash.sha256 != first.tensors[at].sha256) {
            return hash.error ? *hash.error
                              : Error(fail(ErrorCode::ChangedOnDisk,
                                           "The tensor changed while it was being read")
                                          .inTensor(checkpoint.tensor(hash.tensor).name)
                                          .withHint("Try again after the writer has finished"));
        }
    }
    return std::nullopt;
}

} // namespace

std::string fingerprintLine(const TensorEntry& tensor, const Sha256Digest& sha256) {
    return escapedName(tensor.name) + "\t" + std::string(dtypeName(tensor.dtype)) + "\t" +
           formatDims(tensor.shape) + "\t" + hexText(sha256) + "\n";
}

Result<Fingerprint> fingerprint(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
                                const FingerprintOptions& options) {
    Fingerprint result;
    result.tensors.resize(tensors.size());
    forEachParallel(tensors.size(), options.threads, options.cancel, [&](std::size_t i) {
        result.tensors[i] = hashOne(checkpoint, tensors[i], options);
    });
    CAIRN_CHECK(options.cancel.check());
    for (const TensorHash& hash : result.tensors) {
        if (hash.error && !result.firstError) {
            result.firstError = hash.error;
        }
        result.bytes += hash.error ? 0 : checkpoint.tensor(hash.tensor).bytes();
    }
    if (!result.firstError) {
        result.firstError = findChange(checkpoint, tensors, result, options);
        CAIRN_CHECK(options.cancel.check());
    }
    if (!result.firstError) {
        result.whole = fullHash(checkpoint, result.tensors);
    }
    return result;
}

} // namespace cairn
