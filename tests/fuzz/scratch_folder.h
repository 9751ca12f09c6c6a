// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>
#include <system_error>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace cairn::fuzz {

/// A folder in memory if possible, otherwise among the temporary files; removed when the program
/// ends. For one thread. If a call fails, the program ends, because a target without its files
/// tests nothing.
class ScratchFolder {
public:
    ScratchFolder() {
        const std::filesystem::path shm = "/dev/shm";
        std::error_code error;
        m_path =
            (std::filesystem::is_directory(shm, error) ? shm
                                                       : std::filesystem::temp_directory_path()) /
            ("cairn-fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(m_path);
        m_fd = ::open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        require(m_fd >= 0);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        ::close(m_fd);
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    /// Creates parent folders. False if a file is where a folder is needed or the reverse; then
    /// nothing is written.
    bool write(const std::string& name, std::span<const std::uint8_t> content) {
        for (std::size_t slash = name.find('/'); slash != std::string::npos;
             slash = name.find('/', slash + 1)) {
            std::string above = name.substr(0, slash);
            if (::mkdirat(m_fd, above.c_str(), 0700) == 0) {
                m_made.push_back({std::move(above), AT_REMOVEDIR});
            } else if (errno != EEXIST) {
                return false;
            }
        }
        const int fd = ::openat(m_fd, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (fd < 0) {
            return false;
        }
        require(::write(fd, content.data(), content.size()) ==
                static_cast<ssize_t>(content.size()));
        ::close(fd);
        m_made.push_back({name, 0});
        return true;
    }

    /// Removes what was written.
    void clear() {
        for (auto made = m_made.rbegin(); made != m_made.rend(); ++made) {
            require(::unlinkat(m_fd, made->name.c_str(), made->flags) == 0 || errno == ENOENT);
        }
        m_made.clear();
    }

private:
    struct Made {
        std::string name;
        int flags = 0;
    };

    static void require(bool holds) {
        if (!holds) {
            std::abort();
        }
    }

    std::filesystem::path m_path;
    int m_fd = -1;
    std::vector<Made> m_made; ///< parents before their content
};

} // namespace cairn::fuzz
