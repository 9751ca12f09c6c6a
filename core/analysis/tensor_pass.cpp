// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/tensor_pass.h"

#include "core/model/string_elements.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace cairn {
namespace {

// A view with strides of zero can represent terabytes of elements with a few stored bytes. A tensor
// beyond this ratio and this size is not intentional, and reading it would take too long.
constexpr std::uint64_t kMaxExpansion = 4096;
constexpr std::uint64_t kAlwaysRead = std::uint64_t{1} << 30U;
// Elements without a file are made by a reader: the fill value of chunks that a writer omitted,
// often zeros of an optimizer that has not stepped yet. No tensor of a real model is larger.
constexpr std::uint64_t kMaxFilled = std::uint64_t{1} << 40U;

/// In memory only, without a file identity.
bool isFill(const LocatedPiece& piece) {
    const FileIdentity identity = piece.source->identity();
    return identity.device == 0 && identity.inode == 0;
}

} // namespace

bool mayExpand(const TensorEntry& tensor) {
    const std::uint64_t bytes = tensor.bytes();
    std::uint64_t enough = bytes > kAlwaysRead ? bytes / kMaxExpansion : 0;
    for (const Piece& piece : tensor.pieces) {
        enough -= std::min(enough, piece.bytes.length);
    }
    return enough > 0;
}

Result<void> checkExpansion(const TensorEntry& tensor, const TensorReader& reader) {
    std::uint64_t stored = 0;
    bool filled = false;
    for (const LocatedPiece& piece : reader.pieces()) {
        stored += piece.bytes.length;
        filled = filled || isFill(piece);
    }
    const std::uint64_t most = filled ? kMaxFilled : kAlwaysRead;
    if (tensor.bytes() <= most || tensor.bytes() / kMaxExpansion <= stored) {
        return {};
    }
    return fail(ErrorCode::LimitExceeded,
                "The tensor is a view that repeats a few stored bytes too many times")
        .inTensor(tensor.name)
        .butFound(sentence("%1 bytes stored for %2 bytes of elements", stored, tensor.bytes()))
        .withHint("Use `cairn-cli show --slice` to see its stored elements");
}

Result<void> checkUnchanged(const TensorReader& reader) {
    for (const LocatedPiece& piece : reader.pieces()) {
        CAIRN_CHECK(piece.source->checkUnchanged());
    }
    return {};
}

bool hasRandomAccess(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    return std::ranges::all_of(tensor.pieces, [&](const Piece& piece) {
        const std::string_view codec = checkpoint.codecName(piece.codec);
        return piece.codec == kRawCodec || codec == "torch.save" ||
               codec.starts_with("dequantize ");
    });
}

void forEachParallel(std::size_t count, std::size_t threads, const CancelToken& cancel,
                     const std::function<void(std::size_t)>& work) {
    if (threads == 0) {
        threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4);
    }
    threads = std::min(threads, count);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr thrown; ///< the first exception; none may leave a thread
    const auto loop = [&] {
        try {
            while (!cancel.cancelled()) {
                const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
                if (i >= count) {
                    return;
                }
                work(i);
            }
        } catch (...) {
            next.store(count, std::memory_order_relaxed);
            const std::lock_guard lock(mutex);
            thrown = thrown ? thrown : std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            helpers.reserve(threads);
            for (std::size_t i = 1; i < threads; ++i) {
                helpers.emplace_back(loop);
            }
        } catch (const std::exception&) {
            // Fewer threads than requested: the work is distributed dynamically.
        }
        loop();
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

Result<void> streamTensor(const Checkpoint& checkpoint, const TensorEntry& tensor,
                          const CancelToken& cancel, std::atomic<std::uint64_t>* progress,
                          PassBuffer& buffer,
                          const std::function<Result<void>(std::span<const std::byte>)>& sink) {
    CAIRN_CHECK(cancel.check());
    if (hasStrings(tensor.dtype)) {
        return streamStrings(checkpoint, tensor, cancel, progress, sink);
    }
    const std::uint64_t total = tensor.bytes();
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    CAIRN_CHECK(checkExpansion(tensor, reader));
    const Box whole = Box::whole(tensor.shape);
    const std::uint64_t element = std::max<std::uint64_t>(1, reader.elementBytes());
    const std::uint64_t chunk = std::max(element, PassBuffer::kChunk / element * element);
    buffer.bytes.resize(static_cast<std::size_t>(std::min(total, chunk)));
    for (std::uint64_t at = 0; at < total; at += chunk) {
        CAIRN_CHECK(cancel.check());
        const auto length = static_cast<std::size_t>(std::min(chunk, total - at));
        const auto bytes = std::span(buffer.bytes).first(length);
        CAIRN_CHECK(reader.readBytes(whole, at, bytes, buffer.scratch));
        CAIRN_CHECK(sink(bytes));
        if (progress != nullptr) {
            progress->fetch_add(length, std::memory_order_relaxed);
        }
    }
    return checkUnchanged(reader);
}

} // namespace cairn
