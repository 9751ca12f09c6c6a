// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/endian.h"
#include "core/io/file_ops.h"
#include "core/jobs/header_edit/header_edit.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/temporary_folder.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

/// Small safetensors files, and edits of them that are interrupted.
namespace cairn::ui::test {

using cairn::test::readText;

/// Two tensors "module.a" and "module.b" of 4096 bytes, metadata format and note; `room` spaces at
/// the header's end.
inline std::filesystem::path writeHeaderFile(const std::filesystem::path& path, std::size_t room) {
    std::string text = R"({"__metadata__":{"format":"pt","note":"two\nlines"},)"
                       R"("module.a":{"dtype":"U8","shape":[4096],"data_offsets":[0,4096]},)"
                       R"("module.b":{"dtype":"U8","shape":[4096],"data_offsets":[4096,8192]}})";
    text += std::string(room, ' ');
    std::string data;
    for (int i = 0; i < 8192; ++i) {
        data += static_cast<char>(i * 7 % 251);
    }
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << cairn::test::safetensorsFile(text, data);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ::fsync(file); // allocates its blocks: otherwise the file would count as sparse
    ::close(file);
    return path;
}

/// Fails the n-th write and all later calls, as if the process had been killed there.
class KilledFileOps final : public FileOps {
public:
    explicit KilledFileOps(int atWrite) : m_left(atWrite) {}
    long perform(const FileCall& call) override {
        m_dead = m_dead || (call.kind == FileCallKind::Write && m_left-- == 0);
        return m_dead && call.kind != FileCallKind::Close ? -EIO : m_real.perform(call);
    }

private:
    RealFileOps m_real;
    int m_left;
    bool m_dead = false;
};

/// Makes an edit that is killed at this write: 0 is the backup's, 1 blanks the file's header
/// length.
inline bool killEdit(const std::filesystem::path& path, int atWrite) {
    KilledFileOps ops(atWrite);
    HeaderChanges changes;
    changes.rename = *NameRules::parse("strip-wrappers");
    const auto plan = planHeaderEdit(ops, path, changes, {});
    return plan && !applyHeaderEdit(ops, *plan, {});
}

} // namespace cairn::ui::test
