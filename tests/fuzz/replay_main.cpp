// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;
constexpr int kMutationsPerFile = 200; // fixed seed: the same inputs in every run

std::vector<std::uint8_t> readFile(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(stream)),
                                    std::istreambuf_iterator<char>());
    bytes.resize(std::min(bytes.size(), kMaxBytes));
    return bytes;
}

/// The file itself, every truncation within its first bytes, and copies with a few bytes changed.
std::size_t replay(const std::vector<std::uint8_t>& bytes) {
    std::size_t runs = 1;
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    for (std::size_t length = 0; length < bytes.size() && length < 256; ++length, ++runs) {
        LLVMFuzzerTestOneInput(bytes.data(), length);
    }
    std::mt19937 random(1);
    for (int i = 0; i < kMutationsPerFile && !bytes.empty(); ++i, ++runs) {
        auto changed = bytes;
        for (int j = 0; j < 4; ++j) {
            changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
        }
        LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
    return runs;
}

} // namespace

/// Passes the files below the given paths to a fuzz target; see CMakeLists.txt.
int main(int argc, char** argv) {
    std::size_t runs = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::filesystem::is_regular_file(argv[i])) {
            runs += replay(readFile(argv[i]));
        } else if (std::filesystem::is_directory(argv[i])) {
            for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
                if (entry.is_regular_file() && entry.file_size() <= kMaxBytes) {
                    runs += replay(readFile(entry.path()));
                }
            }
        }
    }
    std::printf("%zu inputs, no crash\n", runs);
    return runs > 0 ? 0 : 1;
}
