// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/planes/split.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

/// Packs numbers by byte planes. In trained weights only the exponents are regular, and they are
/// all in one plane; mantissas are noise, and compressing noise wastes time. So each plane is
/// either stored, or a zstd frame, or one repeated byte; a sample decides. Byte map: README.md.
namespace cairn::planes {

inline constexpr std::size_t kMaxPacked = std::size_t{16}
                                          << 20U; ///< largest chunk, in bytes of elements

/// Packs chunks one after another. Not thread-safe; keeps its working memory.
class Packer {
public:
    /// `level` 1: fast entropy coding; 2 to 19: the zstd level, for data with more structure.
    explicit Packer(int level = 1);
    Packer(Packer&&) noexcept;
    Packer& operator=(Packer&&) noexcept;
    ~Packer();

    /// Appends the packed form. REQUIRES: 1 to kMaxPacked bytes, complete elements. Fails:
    /// OutOfMemory.
    Result<void> pack(ElementForm form, std::span<const std::byte> elements,
                      std::vector<std::byte>& out);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Unpacks chunks. Not thread-safe; keeps its working memory, bounded by the largest chunk.
class Unpacker {
public:
    Unpacker();
    Unpacker(Unpacker&&) noexcept;
    Unpacker& operator=(Unpacker&&) noexcept;
    ~Unpacker();

    /// Unpacks all of `packed` into `elements`, which must have the exact size. REQUIRES: as
    /// pack(). Errors have offsets within `packed`. Fails: BadEncoding, Truncated, OutOfMemory.
    Result<void> unpack(ElementForm form, std::span<const std::byte> packed,
                        std::span<std::byte> elements);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace cairn::planes
