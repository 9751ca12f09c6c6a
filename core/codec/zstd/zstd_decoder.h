// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

struct ZSTD_DCtx_s;

namespace cairn {

/// Largest permitted window: 128 MiB, the limit of `zstd -d` without --long.
inline constexpr unsigned kZstdMaxWindowLog = 27;

/// libzstd's streaming decoder, for one frame after another. Not thread-safe.
class ZstdDecoder {
public:
    struct Step {
        const char* error = nullptr; ///< libzstd's name of the error; null: no error
        bool tooLarge = false;       ///< with an error: a valid frame may need more memory
        bool frameEnded = false;
    };

    /// Call before the first frame, and to start again. False: out of memory.
    [[nodiscard]] bool start();
    /// Consumes the front of `in` and fills the front of `out`; both spans shrink by the used part.
    Step decode(std::span<const std::byte>& in, std::span<std::byte>& out);

private:
    struct Free {
        void operator()(ZSTD_DCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_DCtx_s, Free> m_context;
};

} // namespace cairn
