// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/planes/split.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

/// Numbers packed by byte planes: what is regular in trained weights are the exponents, and they
/// are in one plane; mantissas are noise, and compressing noise costs time for nothing. So each
/// plane is either stored as it is, or a zstd frame, or one byte that stands for all; a sample
/// decides. Knows nothing of tensors. README.md has the byte map.
namespace cairn::planes {

inline constexpr std::size_t kMaxPacked = std::size_t{16} << 20U; ///< elements of one chunk, bytes

/// Packs chunks one after another. One thread; keeps its working memory.
class Packer {
public:
    /// `level`: 1 is the entropy coder at the speed of memory; 2 … 19 are zstd's own, for what has
    /// structure besides.
    explicit Packer(int level = 1);
    Packer(Packer&&) noexcept;
    Packer& operator=(Packer&&) noexcept;
    ~Packer();

    /// Appends the packed form. REQUIRES: 1 to kMaxPacked bytes, whole elements. Fails:
    /// OutOfMemory.
    Result<void> pack(ElementForm form, std::span<const std::byte> elements,
                      std::vector<std::byte>& out);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Unpacks. One thread; keeps its working memory, which is bounded by the largest chunk.
class Unpacker {
public:
    Unpacker();
    Unpacker(Unpacker&&) noexcept;
    Unpacker& operator=(Unpacker&&) noexcept;
    ~Unpacker();

    /// Exactly elements.size() bytes out of all of `packed`. REQUIRES: as pack(). Errors have
    /// offsets within `packed`. Fails: BadEncoding, Truncated, OutOfMemory.
    Result<void> unpack(ElementForm form, std::span<const std::byte> packed,
                        std::span<std::byte> elements);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace cairn::planes
