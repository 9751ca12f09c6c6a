// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/archive/archive_verify.h"

#include "core/formats/format.h"
#include "core/io/hash.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/engine/device_reader.h"
#include "core/model/saved_values.h"
#include "core/model/string_elements.h"
#include "core/model/tensor_reader.h"
#include "core/model/value_bytes.h"

#include <algorithm>
#include <atomic>

namespace cairn {
namespace {

constexpr std::size_t kStep = std::size_t{4} << 20U;

Error mismatch(const TensorEntry& tensor, Sentence message) {
    return fail(ErrorCode::VerifyMismatch, std::move(message)).inTensor(tensor.name);
}

Result<std::string> fileHash(const std::filesystem::path& path, JobContext& context) {
    CAIRN_TRY(const DeviceReader reader, DeviceReader::open(path));
    const AlignedBuffer buffer(kStep);
    Sha256 hash;
    for (std::uint64_t at = 0; at < reader.size(); at += kStep) {
        CAIRN_CHECK(context.proceed());
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(kStep, reader.size() - at));
        CAIRN_TRY(const auto bytes, reader.read(at, count, buffer.bytes()));
        hash.add(bytes);
    }
    return hexText(hash.finish());
}

/// Compares the tensors' metadata.
Result<void> compareRow(const TensorEntry& left, const TensorEntry& right) {
    if (left.name != right.name || left.dtype != right.dtype || left.shape != right.shape ||
        left.role != right.role) {
        return mismatch(left, "The archive describes a tensor differently");
    }
    return {};
}

/// A failure to read the archive is a mismatch; a failure to read the source is returned.
template <class T> Result<T> ofArchive(Result<T> result, const TensorEntry& tensor) {
    if (!result && result.error().code != ErrorCode::Cancelled) {
        return mismatch(tensor, "The archive cannot be read back")
            .butFound(verbatim(describe(result.error())));
    }
    return result;
}

/// Compares elements. Not thread-safe.
class TensorComparer {
public:
    TensorComparer(const Checkpoint& source, const Checkpoint& output, JobContext& context)
        : m_source(source), m_output(output), m_context(context) {}

    /// Compares one tensor; returns the SHA-256 of its elements.
    Result<std::string> compare(std::size_t position) {
        const TensorEntry& left = m_source.tensors()[position];
        const TensorEntry& right = m_output.tensors()[position];
        CAIRN_CHECK(compareRow(left, right));
        return hasStrings(left.dtype) ? strings(left, right) : elements(left, right);
    }

private:
    Result<std::string> strings(const TensorEntry& left, const TensorEntry& right) {
        CAIRN_TRY(const auto a, readStringBytes(m_source, left, kMaxStringMemory));
        CAIRN_TRY(const auto b,
                  ofArchive(readStringBytes(m_output, right, kMaxStringMemory), left));
        if (a != b) {
            return mismatch(left, "The archive contains different strings");
        }
        Sha256 hash;
        hash.add(a);
        return hexText(hash.finish());
    }

    Result<std::string> elements(const TensorEntry& left, const TensorEntry& right) {
        Sha256 hash;
        const std::uint64_t total = left.bytes();
        if (total == 0) {
            return hexText(hash.finish());
        }
        CAIRN_TRY(const TensorReader a, TensorReader::open(m_source, left));
        CAIRN_TRY(const TensorReader b, ofArchive(TensorReader::open(m_output, right), left));
        const Box box = Box::whole(left.shape);
        const std::uint64_t step = kStep / a.elementBytes() * a.elementBytes();
        for (std::uint64_t at = 0; at < total; at += step) {
            CAIRN_CHECK(m_context.proceed());
            const auto count = static_cast<std::size_t>(std::min(step, total - at));
            m_left.resize(count);
            m_right.resize(count);
            CAIRN_CHECK(a.readBytes(box, at, m_left, m_scratch));
            CAIRN_CHECK(ofArchive(b.readBytes(box, at, m_right, m_scratch), left));
            if (m_left != m_right) {
                return mismatch(left, "The archive contains different elements").at(at);
            }
            hash.add(m_right);
            m_context.addVerified(count);
        }
        return hexText(hash.finish());
    }

    const Checkpoint& m_source;
    const Checkpoint& m_output;
    JobContext& m_context;
    TensorReader::Scratch m_scratch;
    std::vector<std::byte> m_left;
    std::vector<std::byte> m_right;
};

Result<void> compareValues(const Checkpoint& source, const Checkpoint& output,
                           JobContext& context) {
    CAIRN_TRY(const SavedValues left, savedValues(source, context.token()));
    const auto right = output.values(context.token());
    if (right) {
        CAIRN_TRY(const auto a, valueToBytes(left.usable));
        CAIRN_TRY(const auto b, valueToBytes(*right));
        if (a == b) {
            return {};
        }
    }
    return fail(ErrorCode::VerifyMismatch, "The archive contains different plain values");
}

} // namespace

Result<ArchiveHashes> verifyArchive(const Checkpoint& source, const std::filesystem::path& staged,
                                    JobContext& context, std::size_t threads) {
    ArchiveHashes hashes;
    CAIRN_TRY(hashes.file, fileHash(staged, context)); // also drops the cached pages
    auto output = openCheckpoint(staged, context.token());
    if (!output) {
        return fail(ErrorCode::VerifyMismatch, "The archive cannot be read back")
            .butFound(verbatim(describe(output.error())));
    }
    const std::size_t count = source.tensors().size();
    if ((*output)->tensors().size() != count) {
        return fail(ErrorCode::VerifyMismatch,
                    "The archive contains a different number of tensors");
    }
    CAIRN_CHECK(compareValues(source, **output, context));
    hashes.tensors.resize(count);
    std::atomic<std::size_t> next{0};
    const std::size_t workers = std::clamp<std::size_t>(count, 1, threads);
    CAIRN_CHECK(
        runOnThreads(workers, [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
            TensorComparer comparer(source, **output, context);
            for (std::size_t i = next++; i < count && !stop.load(); i = next++) {
                CAIRN_TRY(hashes.tensors[i], comparer.compare(i));
            }
            return {};
        }));
    return hashes;
}

} // namespace cairn
