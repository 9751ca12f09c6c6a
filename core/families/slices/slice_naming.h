// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Internal to core/families/slices: programs whose slices have names of their own. Sources:
/// README.md. Pure; any thread.
namespace cairn {

/// A program that cuts the published tensors of some classes and writes them under other names.
class SliceNaming {
public:
    enum class Program : std::uint8_t { None, DeepSeek, TensorRtLlm, Vllm };

    /// The program that writes such names; None: they are taken as they are.
    /// `shardedState`: the files are named as vLLM's.
    static SliceNaming of(std::span<const std::string_view> names, bool shardedState);

    [[nodiscard]] Program program() const { return m_program; }
    /// Whether it writes the tensors of that `model_type` as they are: no sums, no other order.
    [[nodiscard]] bool keeps(std::string_view modelType) const;
    /// The published names of a tensor: several if a rank's rows of each are one behind the other;
    /// the name itself if the program does not change it.
    [[nodiscard]] std::vector<std::string> published(std::string_view name) const;

private:
    Program m_program = Program::None;
};

} // namespace cairn
