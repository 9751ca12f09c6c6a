// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/dims.h"
#include "tests/support/safetensors_file.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace cairn::ui::test {

/// The weight of the sample's models that the adapter of writeAdapter() changes.
inline const std::string kAdaptedWeight = "model.layers.0.self_attn.q_proj.weight";

/// A LoRA of ones, as PEFT saves it: it adds its scale of 2 to each element of kAdaptedWeight,
/// whose shape is `weight`. The config states `rank`; the tensors are of rank 1.
inline void writeAdapter(const std::filesystem::path& folder, const Shape& weight,
                         const std::string& base = "org/base", int rank = 1) {
    std::filesystem::create_directories(folder);
    const std::string module = "base_model.model.model.layers.0.self_attn.q_proj.";
    const auto rows = static_cast<std::size_t>(weight[0]);
    const auto columns = static_cast<std::size_t>(weight[1]);
    const std::vector<cairn::test::SafetensorsTensor> tensors{
        {module + "lora_A.weight", "F32", {1, weight[1]}, columns * 4},
        {module + "lora_B.weight", "F32", {weight[0], 1}, rows * 4}};
    std::string data;
    const float one = 1;
    for (std::size_t i = 0; i < rows + columns; ++i) {
        data.append(reinterpret_cast<const char*>(&one), sizeof one);
    }
    std::ofstream(folder / "adapter_model.safetensors", std::ios::binary)
        << cairn::test::safetensorsFile(cairn::test::safetensorsHeader(tensors), data);
    std::ofstream(folder / "adapter_config.json")
        << R"({"peft_type": "LORA", "base_model_name_or_path": ")" << base
        << R"(", "lora_alpha": 2, "r": )" << rank
        << R"(, "target_modules": ["q_proj"], "layers_to_transform": [0]})";
}

} // namespace cairn::ui::test
