// SPDX-License-Identifier: Apache-2.0
//
// The K types: 256 elements in parts of 16 or 32, each with a small scale of its own.
#include "core/compute/dequantize_blocks.h"

namespace cairn::blocks {
namespace {

/// 2-bit values are in two runs of 32 bytes; the lowest bits of a run are its first 32 elements.
int twoBits(const std::uint8_t* values, int i) {
    return values[i / 128 * 32 + i % 32] >> i % 128 / 32 * 2 & 3;
}

/// 4-bit values are in four runs of 32 bytes; the low halves of a run are its first 32 elements.
int fourBits(const std::uint8_t* values, int i) {
    return values[i / 64 * 32 + i % 32] >> i % 64 / 32 * 4 & 0x0F;
}

/// One bit of each element: bit i / 32 of byte i % 32.
int oneBit(const std::uint8_t* bits, int i) {
    return bits[i % 32] >> i / 32 & 1;
}

/// The 6-bit scale and minimum of part j, from the 12 bytes that contain eight of each.
struct ScaleMin {
    float scale;
    float min;
};

ScaleMin scaleMin(const std::uint8_t* packed, int j) {
    if (j < 4) {
        return {static_cast<float>(packed[j] & 0x3F), static_cast<float>(packed[4 + j] & 0x3F)};
    }
    const int k = j - 4;
    return {static_cast<float>((packed[8 + k] & 0x0F) | (packed[k] >> 2 & 0x30)),
            static_cast<float>(packed[8 + k] >> 4 | (packed[4 + k] >> 2 & 0x30))};
}

} // namespace

void q2K(const std::uint8_t* block, float* out) {
    const std::uint8_t* const values = block + 16;
    const float d = loadHalf(block + 80);
    const float dmin = loadHalf(block + 82);
    for (int part = 0; part < 16; ++part) {
        const float scale = d * static_cast<float>(block[part] & 0x0F);
        const float min = dmin * static_cast<float>(block[part] >> 4);
        for (int i = part * 16; i < part * 16 + 16; ++i) {
            out[i] = scale * static_cast<float>(twoBits(values, i)) - min;
        }
    }
}

void q3K(const std::uint8_t* block, float* out) {
    const std::uint8_t* const values = block + 32;
    const std::uint8_t* const scales = block + 96;
    const float d = loadHalf(block + 108);
    for (int part = 0; part < 16; ++part) {
        const int low = scales[part % 8] >> part / 8 * 4 & 0x0F;
        const int high = scales[8 + part % 4] >> part / 4 * 2 & 3;
        const float scale = d * static_cast<float>((low | high << 4) - 32);
        for (int i = part * 16; i < part * 16 + 16; ++i) {
            const int offset = oneBit(block, i) != 0 ? 0 : 4;
            out[i] = scale * static_cast<float>(twoBits(values, i) - offset);
        }
    }
}

void q4K(const std::uint8_t* block, float* out) {
    const std::uint8_t* const values = block + 16;
    const float d = loadHalf(block);
    const float dmin = loadHalf(block + 2);
    for (int part = 0; part < 8; ++part) {
        const ScaleMin packed = scaleMin(block + 4, part);
        const float scale = d * packed.scale;
        const float min = dmin * packed.min;
        for (int i = part * 32; i < part * 32 + 32; ++i) {
            out[i] = scale * static_cast<float>(fourBits(values, i)) - min;
        }
    }
}

void q5K(const std::uint8_t* block, float* out) {
    const std::uint8_t* const high = block + 16;
    const std::uint8_t* const values = block + 48;
    const float d = loadHalf(block);
    const float dmin = loadHalf(block + 2);
    for (int part = 0; part < 8; ++part) {
        const ScaleMin packed = scaleMin(block + 4, part);
        const float scale = d * packed.scale;
        const float min = dmin * packed.min;
        for (int i = part * 32; i < part * 32 + 32; ++i) {
            out[i] = scale * static_cast<float>(fourBits(values, i) | oneBit(high, i) << 4) - min;
        }
    }
}

void q6K(const std::uint8_t* block, float* out) {
    const std::uint8_t* const high = block + 128;
    const std::uint8_t* const scales = block + 192;
    const float d = loadHalf(block + 208);
    for (int i = 0; i < 256; ++i) {
        const int low = block[i / 128 * 64 + i % 64] >> i % 128 / 64 * 4 & 0x0F;
        const float scale = d * static_cast<float>(static_cast<std::int8_t>(scales[i / 16]));
        out[i] = scale * static_cast<float>((low | twoBits(high, i) << 4) - 32);
    }
}

void q8K(const std::uint8_t* block, float* out) {
    const float d = std::bit_cast<float>(load32(block));
    for (int i = 0; i < 256; ++i) {
        out[i] = d * static_cast<float>(static_cast<std::int8_t>(block[4 + i]));
    }
}

} // namespace cairn::blocks
