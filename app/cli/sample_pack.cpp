// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sample_writer.h"

asm(".section .rodata\n"
    ".balign 16\n"
    ".global cairn_sample_begin\n"
    ".global cairn_sample_end\n"
    "cairn_sample_begin:\n"
    ".incbin \"" CAIRN_SAMPLE_PACK "\"\n"
    "cairn_sample_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" {
extern const std::byte cairn_sample_begin[];
extern const std::byte cairn_sample_end[];
}

namespace cairn {

std::span<const std::byte> samplePack() {
    return {cairn_sample_begin, cairn_sample_end};
}

} // namespace cairn
