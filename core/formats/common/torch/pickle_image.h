// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/codec/pickle/pickle.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

/// A pickle of any size as input of parsePickle(), of which only opcodes and texts are in memory:
/// the contents of long byte strings (arrays of NumPy and torch) are left out except for their
/// beginning, because only their location is needed.
namespace cairn::formats {

/// Immutable; any thread. Memory: the parts that were read; the rest is address space that reads as
/// zeros.
class PickleImage {
public:
    /// Length of the beginning of each byte string that is read, for example the start of a storage
    /// that torch.save wrote.
    static constexpr std::size_t kHead = std::size_t{8} << 10U;

    /// Reads from the start of `range` to the end of the pickle, or as far as it can be followed;
    /// parsePickle() then reports the error. Fails: Io, ChangedOnDisk, OutOfMemory, LimitExceeded
    /// for more than 8 GiB of opcodes and texts, Cancelled. REQUIRES:
    /// range.fitsInto(source->size()).
    static Result<std::shared_ptr<const PickleImage>> read(ByteSourcePtr source, ByteRange range,
                                                           const CancelToken& cancel = {});

    /// As read(), but with a partial result: beyond `most` bytes of opcodes and texts, or where
    /// reading fails, the image ends, and `error` gives the reason. `image` is null if there is no
    /// address space.
    struct Part {
        std::shared_ptr<const PickleImage> image;
        std::optional<Error> error;
    };
    static Part readPart(ByteSourcePtr source, ByteRange range, std::uint64_t most,
                         const CancelToken& cancel = {});

    /// A pickle of joblib, whose arrays are between its opcodes, so that only parsing shows where
    /// it continues. Fails as read() and parsePickle().
    struct WithArrays {
        std::shared_ptr<const PickleImage> image;
        pickle::PickleGraph graph;
    };
    static Result<WithArrays> parseJoblib(ByteSourcePtr source, ByteRange range,
                                          const CancelToken& cancel = {});

    PickleImage(const PickleImage&) = delete;
    PickleImage& operator=(const PickleImage&) = delete;
    ~PickleImage();

    /// All of the range; valid as long as this object.
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_memory, m_length}; }
    /// Location of a part of bytes() in the source.
    [[nodiscard]] ByteRange placeOf(std::span<const std::byte> part) const;
    /// The source's content of `bytes`, if they are a part of bytes(); otherwise `bytes`
    /// themselves.
    [[nodiscard]] Result<std::vector<std::byte>> contentOf(std::span<const std::byte> bytes) const;
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead; }

private:
    PickleImage(ByteSourcePtr source, ByteRange range, std::byte* memory);

    enum class Until : std::uint8_t { Stop, Build };
    static Result<std::shared_ptr<PickleImage>> reserve(ByteSourcePtr source, ByteRange range,
                                                        std::uint64_t most);
    Result<void> follow(std::uint64_t at, Until until, const CancelToken& cancel);
    Result<bool> has(std::uint64_t end);
    Result<bool> hasLine(std::uint64_t& at);
    Result<bool> hasText(std::uint64_t at, std::uint64_t length);

    ByteSourcePtr m_source;
    std::uint64_t m_offset;
    std::size_t m_length;
    std::byte* m_memory;
    std::uint64_t m_known = 0; ///< everything before this was read, or left out
    std::uint64_t m_block = 0; ///< size of the next read; grows while nothing is left out
    std::uint64_t m_bytesRead = 0;
    std::uint64_t m_most = 0; ///< limit on m_bytesRead
};

using PickleImagePtr = std::shared_ptr<const PickleImage>;

} // namespace cairn::formats
