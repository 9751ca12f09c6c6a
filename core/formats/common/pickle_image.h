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

/// A pickle of any size as parsePickle() wants it, in memory for its opcodes and texts alone: the
/// contents of long bytes (what NumPy and torch write an array as) are left out but for their
/// beginning, since what they are needed for is only where they are.
namespace cairn::formats {

/// Immutable; any number of threads. Memory: what was read; the rest is address space that reads as
/// zeros.
class PickleImage {
public:
    /// So much of every bytes is there: the front of a storage that torch.save wrote, say.
    static constexpr std::size_t kHead = std::size_t{8} << 10U;

    /// Reads from the start of `range` as far as the pickle goes, or as it can be followed: what is
    /// wrong with it parsePickle() states. Fails: Io, ChangedOnDisk, OutOfMemory, LimitExceeded for
    /// more than 8 GiB of opcodes and texts, Cancelled. REQUIRES: range.fitsInto(source->size()).
    static Result<std::shared_ptr<const PickleImage>> read(ByteSourcePtr source, ByteRange range,
                                                           const CancelToken& cancel = {});

    /// As read(), for those who take what there is: with more than `most` bytes of opcodes and
    /// texts, or where reading fails, the image ends there and `error` states why. `image` is null
    /// when there is no address space.
    struct Part {
        std::shared_ptr<const PickleImage> image;
        std::optional<Error> error;
    };
    static Part readPart(ByteSourcePtr source, ByteRange range, std::uint64_t most,
                         const CancelToken& cancel = {});

    PickleImage(const PickleImage&) = delete;
    PickleImage& operator=(const PickleImage&) = delete;
    ~PickleImage();

    /// All of the range; lives as long as this.
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_memory, m_length}; }
    /// Where these, a part of bytes(), are in the source.
    [[nodiscard]] ByteRange placeOf(std::span<const std::byte> part) const;
    /// What `bytes` hold in the source, wherever they are: those outside of bytes() as they are.
    [[nodiscard]] Result<std::vector<std::byte>> contentOf(std::span<const std::byte> bytes) const;
    /// What was read.
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead; }

private:
    PickleImage(ByteSourcePtr source, ByteRange range, std::byte* memory);

    Result<void> follow(const CancelToken& cancel);
    Result<bool> has(std::uint64_t end);
    Result<bool> hasLine(std::uint64_t& at);
    Result<bool> hasText(std::uint64_t at, std::uint64_t length);

    ByteSourcePtr m_source;
    std::uint64_t m_offset;
    std::size_t m_length;
    std::byte* m_memory;
    std::uint64_t m_known = 0; ///< up to here all is there, or left out
    std::uint64_t m_block = 0; ///< grows while nothing is left out
    std::uint64_t m_bytesRead = 0;
    std::uint64_t m_most = 0; ///< to be read
};

using PickleImagePtr = std::shared_ptr<const PickleImage>;

} // namespace cairn::formats
