// SPDX-License-Identifier: Apache-2.0
#include "core/compute/dequantize.h"

#include "core/compute/dequantize_blocks.h"

namespace cairn {
namespace {

blocks::Decoder decoderOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q1_0:
        return blocks::q1_0;
    case Dtype::Q4_0:
        return blocks::q4_0;
    case Dtype::Q4_1:
        return blocks::q4_1;
    case Dtype::Q5_0:
        return blocks::q5_0;
    case Dtype::Q5_1:
        return blocks::q5_1;
    case Dtype::Q8_0:
        return blocks::q8_0;
    case Dtype::Q8_1:
        return blocks::q8_1;
    case Dtype::Q2K:
        return blocks::q2K;
    case Dtype::Q3K:
        return blocks::q3K;
    case Dtype::Q4K:
        return blocks::q4K;
    case Dtype::Q5K:
        return blocks::q5K;
    case Dtype::Q6K:
        return blocks::q6K;
    case Dtype::Q8K:
        return blocks::q8K;
    case Dtype::Iq1S:
        return blocks::iq1S;
    case Dtype::Iq1M:
        return blocks::iq1M;
    case Dtype::Iq2Xxs:
        return blocks::iq2Xxs;
    case Dtype::Iq2Xs:
        return blocks::iq2Xs;
    case Dtype::Iq2S:
        return blocks::iq2S;
    case Dtype::Iq3Xxs:
        return blocks::iq3Xxs;
    case Dtype::Iq3S:
        return blocks::iq3S;
    case Dtype::Iq4Nl:
        return blocks::iq4Nl;
    case Dtype::Iq4Xs:
        return blocks::iq4Xs;
    case Dtype::Tq1_0:
        return blocks::tq1_0;
    case Dtype::Tq2_0:
        return blocks::tq2_0;
    case Dtype::Mxfp4:
        return blocks::mxfp4;
    case Dtype::Nvfp4:
        return blocks::nvfp4;
    default:
        return nullptr;
    }
}

} // namespace

bool canDequantize(Dtype dtype) {
    return decoderOf(dtype) != nullptr;
}

void dequantize(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const blocks::Decoder decode = decoderOf(dtype);
    const auto* block = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const std::size_t count = bytes.size() / info.blockBytes;
    for (std::size_t i = 0; i < count; ++i) {
        decode(block + i * info.blockBytes, out.data() + i * info.blockElements);
    }
}

} // namespace cairn
