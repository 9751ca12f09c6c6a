// SPDX-License-Identifier: Apache-2.0
#include "tests/core/jobs/header_edit_fixture.h"

#include "core/base/endian.h"
#include "core/io/movable_blocks.h"
#include "tests/support/safetensors_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace cairn::edittest {
namespace {

constexpr std::uint64_t kSector = 512;

} // namespace

std::filesystem::path writeSample(const TemporaryFolder& folder, std::size_t room) {
    constexpr std::uint64_t kPart = kDataBytes / 3;
    std::string text =
        R"({ "__metadata__":{"format":"pt","note":"old \"words\"","module.tied":"module.b"})";
    for (std::uint64_t i = 0; i < 3; ++i) {
        text += ",\n \"module." + std::string(1, static_cast<char>('a' + i)) +
                R"(":{"dtype":"U8", "shape":[)" + std::to_string(kPart) + R"(],"data_offsets":[)" +
                std::to_string(i * kPart) + "," + std::to_string((i + 1) * kPart) + "]}";
    }
    text += "}" + std::string(room, ' ');
    std::mt19937 random(7);
    std::string data(kDataBytes, '\0');
    std::ranges::generate(data, [&] { return static_cast<char>(random() & 255U); });
    const auto path = folder.path() / "a.safetensors";
    writeFile(path, asBytes(test::safetensorsFile(text, data)));
    const int fd = ::open(path.c_str(), O_RDONLY);
    EXPECT_EQ(::fsync(fd), 0); // so that its blocks are allocated
    ::close(fd);
    return path;
}

HeaderChanges shorter() {
    HeaderChanges changes;
    changes.rename = *NameRules::parse("strip-wrappers");
    changes.set = {{"format", "np"}, {"by", "\u00e9\n\"x\""}};
    changes.unset = {"note"};
    return changes;
}

HeaderChanges longer(std::size_t bytes) {
    HeaderChanges changes;
    changes.rename = *NameRules::parse("module.=a.longer.beginning.of.all.names.");
    changes.set = {{"text", std::string(bytes, 'x')}};
    return changes;
}

bool canInsert(const TemporaryFolder& folder) {
    const auto path = folder.path() / "probe";
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
    EXPECT_EQ(::ftruncate(fd, 8192), 0);
    const bool can = ::fallocate(fd, FALLOC_FL_INSERT_RANGE, 0, 4096) == 0;
    EXPECT_EQ(can, movableBlocks(fd).unit != 0) << "what is said is what can be done";
    ::close(fd);
    std::filesystem::remove(path);
    return can;
}

std::vector<std::byte> dataOf(const std::filesystem::path& path) {
    const auto all = readFile(path);
    const auto start = 8 + loadLittle<std::uint64_t>(all);
    return {all.begin() + static_cast<std::ptrdiff_t>(start), all.end()};
}

std::vector<std::byte> editedBytes(const TemporaryFolder& folder, std::size_t room,
                                   const HeaderChanges& changes) {
    const auto path = writeSample(folder, room);
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, changes, {});
    EXPECT_TRUE(plan.has_value()) << describe(plan.error());
    const auto report = applyHeaderEdit(ops, *plan, {});
    EXPECT_TRUE(report.has_value()) << describe(report.error());
    return readFile(path);
}

void StoppingFileOps::remember(const FileCall& call) {
    for (std::uint64_t at = call.offset / kSector * kSector; at < call.offset + call.length;
         at += kSector) {
        std::vector<std::byte> old(kSector);
        const ssize_t got = ::pread(call.fd, old.data(), old.size(), static_cast<off_t>(at));
        old.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        m_unsynced.try_emplace({call.fd, at}, std::move(old));
    }
}

void StoppingFileOps::cutPower(int fd) {
    for (const auto& [place, old] : m_unsynced) {
        if (place.first == fd && (m_random() & 1U) != 0) {
            EXPECT_EQ(::pwrite(fd, old.data(), old.size(), static_cast<off_t>(place.second)),
                      static_cast<ssize_t>(old.size()));
        }
    }
    m_unsynced.clear();
}

long StoppingFileOps::perform(const FileCall& call) {
    if (call.kind == FileCallKind::Close || call.kind == FileCallKind::OpenFolder ||
        call.kind == FileCallKind::OpenForEdit || call.kind == FileCallKind::Lock) {
        return m_stopped && call.kind != FileCallKind::Close ? -EIO : m_inner.perform(call);
    }
    if (m_stopped) {
        return -EIO;
    }
    if (m_calls++ == m_stop.at) {
        m_stopped = true;
        if (call.kind == FileCallKind::Write && m_stop.half) {
            FileCall shorter = call;
            shorter.bytes = call.bytes.first(call.bytes.size() / 2);
            shorter.length = shorter.bytes.size();
            m_inner.perform(shorter);
        }
        if (m_stop.cut) {
            cutPower(call.fd);
        }
        return -EIO;
    }
    if (call.kind == FileCallKind::Write && m_stop.cut) {
        remember(call);
    }
    const long result = m_inner.perform(call);
    if (call.kind == FileCallKind::Sync) {
        std::erase_if(m_unsynced, [&](const auto& each) { return each.first.first == call.fd; });
    }
    return result;
}

} // namespace cairn::edittest
