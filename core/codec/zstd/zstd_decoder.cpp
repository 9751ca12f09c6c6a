// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zstd/zstd_decoder.h"

#include <zstd.h>
#include <zstd_errors.h>

namespace cairn {

void ZstdDecoder::Free::operator()(ZSTD_DCtx_s* context) const {
    ZSTD_freeDCtx(context);
}

bool ZstdDecoder::start() {
    if (!m_context) {
        m_context.reset(ZSTD_createDCtx());
    }
    return m_context &&
           ZSTD_isError(ZSTD_DCtx_reset(m_context.get(), ZSTD_reset_session_and_parameters)) == 0 &&
           ZSTD_isError(ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax,
                                               static_cast<int>(kZstdMaxWindowLog))) == 0;
}

ZstdDecoder::Step ZstdDecoder::decode(std::span<const std::byte>& in, std::span<std::byte>& out) {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(m_context.get(), &output, &input);
    in = in.subspan(input.pos);
    out = out.subspan(output.pos);
    if (ZSTD_isError(status) == 0) {
        return {.frameEnded = status == 0};
    }
    const ZSTD_ErrorCode code = ZSTD_getErrorCode(status);
    return {.error = ZSTD_getErrorName(status),
            .tooLarge = code == ZSTD_error_frameParameter_windowTooLarge ||
                        code == ZSTD_error_memory_allocation ||
                        code == ZSTD_error_dictionary_wrong};
}

} // namespace cairn
