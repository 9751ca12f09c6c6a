// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace cairn::ui::test {

/// A checkpoint of one tensor.
inline void writeCheckpoint(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::ofstream file(folder / "model.safetensors", std::ios::binary);
    const char size[8] = {static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0};
    file.write(size, sizeof size);
    file << header << std::string(4, '\0');
}

/// Writes the logs of a sweep as the Trainer writes them: a folder a run, named by learning rate
/// and seed, with trainer_state.json and its settings. lr 3e-4 is the best one, seeds differ a
/// little, weight decay does not matter. Each has a checkpoint at its first and at its last point.
inline void writeSweep(const std::filesystem::path& folder, int seeds, int points) {
    const struct {
        const char* lr;
        double floor;
    } rates[] = {{"0.0001", 1.85}, {"0.0003", 1.65}, {"0.001", 1.95}};
    for (const auto& [lr, floor] : rates) {
        for (int seed = 1; seed <= seeds; ++seed) {
            const std::filesystem::path run =
                folder / ("lr-" + std::string(lr) + "-seed-" + std::to_string(seed));
            std::filesystem::create_directories(run);
            std::ofstream state(run / "trainer_state.json");
            state << "{\"global_step\": " << points * 100 << ", \"log_history\": [";
            for (int i = 1; i <= points; ++i) {
                const double loss = floor + 1.5 / (1 + i / 5.0) + 0.01 * seed;
                state << (i > 1 ? "," : "") << "{\"loss\": " << loss + 0.05
                      << ", \"learning_rate\": " << lr << ", \"step\": " << i * 100 << "}"
                      << ",{\"eval_loss\": " << loss << ", \"step\": " << i * 100 << "}";
            }
            state << "]}";
            writeCheckpoint(run / "checkpoint-100");
            writeCheckpoint(run / ("checkpoint-" + std::to_string(points * 100)));
            std::ofstream(run / "args.json") << "{\"lr\": " << lr << ", \"seed\": " << seed
                                             << ", \"weight_decay\": " << (seed % 2 == 0 ? 0.1 : 0)
                                             << ", \"optimizer\": \"adamw\"}";
        }
    }
}

} // namespace cairn::ui::test
