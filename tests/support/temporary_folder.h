// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <system_error>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace cairn::test {

/// A folder for one test, removed with its content when the object is destroyed. Its path contains
/// no links. Parent folders of written files are created.
class TemporaryFolder {
public:
    /// Memory: where a sync costs nothing, for tests of very many jobs.
    enum class Where : std::uint8_t { Disk, Memory };
    explicit TemporaryFolder(Where where = Where::Disk) {
        const bool memory = where == Where::Memory && ::access("/dev/shm", W_OK) == 0;
        const std::filesystem::path base =
            memory ? "/dev/shm" : std::filesystem::temp_directory_path();
        std::string name = (std::filesystem::canonical(base) / "cairn-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category(), name);
        }
        m_path = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path operator/(std::string_view name) const { return m_path / name; }

    std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const {
        const auto path = withFolders(name);
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    void link(const std::filesystem::path& name, const std::filesystem::path& target) const {
        std::filesystem::create_symlink(target, withFolders(name));
    }
    /// Sets the time of the last change, in seconds before now.
    void age(const std::filesystem::path& name, int seconds) const {
        const auto now = std::filesystem::file_time_type::clock::now();
        std::filesystem::last_write_time(m_path / name, now - std::chrono::seconds(seconds));
    }
    /// Names of everything in it, hidden ones too, sorted.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(m_path)) {
            all.push_back(entry.path().filename().string());
        }
        std::ranges::sort(all);
        return all;
    }

private:
    std::filesystem::path withFolders(const std::filesystem::path& name) const {
        std::filesystem::create_directories((m_path / name).parent_path());
        return m_path / name;
    }

    std::filesystem::path m_path;
};

/// The complete file as text; empty if there is none.
inline std::string readText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::byte> readFile(const std::filesystem::path& path) {
    const std::string text = readText(path);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

inline void writeFile(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
}

} // namespace cairn::test
