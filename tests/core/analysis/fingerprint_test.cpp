// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/fingerprint.h"
#include "core/analysis/read_check.h"
#include "core/io/folder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace cairn {
namespace {

constexpr std::size_t kBytes = std::size_t{32} << 20U;

/// A file of zeros that a program has mapped and already written to: further writes to its pages do
/// not change the modification time.
class MappedFile {
public:
    MappedFile() {
        std::ofstream(m_folder / "w.bin").close();
        std::filesystem::resize_file(m_folder / "w.bin", kBytes);
        const int fd = ::open((m_folder / "w.bin").c_str(), O_RDWR | O_CLOEXEC);
        m_bytes =
            static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        ::close(fd);
        fill(0);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile() { ::munmap(m_bytes, kBytes); }

    void fill(char value) { std::fill_n(m_bytes, kBytes, value); }
    void set(std::size_t at, char value) { m_bytes[at] = value; }
    const std::filesystem::path& folder() const { return m_folder.path(); }

    CheckpointPtr open() const {
        CheckpointData data;
        CheckpointFile file;
        file.path = "w.bin";
        file.folder = Folder::open(m_folder.path()).value();
        file.identity = file.folder->openFile("w.bin").value()->identity();
        TensorEntry entry{"w", Dtype::Uint8, {kBytes}, Role::Weight, {}, {}};
        Piece piece;
        piece.box = Box::whole(entry.shape);
        piece.file = data.addFile(std::move(file));
        piece.bytes = {0, kBytes};
        entry.pieces.push_back(std::move(piece));
        data.tensors.push_back(std::move(entry));
        return Checkpoint::make(std::move(data));
    }

private:
    test::TemporaryFolder m_folder;
    char* m_bytes = nullptr;
};

const std::vector<TensorIndex> kFirst{TensorIndex(0)};

Fingerprint hashWhole(const Checkpoint& checkpoint,
                      std::atomic<std::uint64_t>* progress = nullptr) {
    return fingerprint(checkpoint, kFirst, {{}, 1, progress}).value();
}

TEST(Fingerprint, SaysWhenMappedMemoryChangesTheFileMeanwhile) {
    MappedFile file;
    const Sha256Digest before = hashWhole(*file.open()).tensors[0].sha256;
    std::size_t noticed = 0;
    for (int round = 0; round < 8; ++round) {
        file.fill(0);
        const CheckpointPtr checkpoint = file.open();
        std::atomic<std::uint64_t> done{0};
        std::thread writer([&] {
            while (done.load() < kBytes / 4) {
                std::this_thread::yield();
            }
            file.set(0, 1); // was read already
            file.set(kBytes - 1, 1);
        });
        const Fingerprint result = hashWhole(*checkpoint, &done);
        writer.join();
        noticed += result.firstError ? 1 : 0;
        if (result.firstError) {
            EXPECT_EQ(result.firstError->code, ErrorCode::ChangedOnDisk);
            EXPECT_FALSE(result.whole);
        } else { // the write came too late
            EXPECT_EQ(result.tensors[0].sha256, before);
        }
    }
    EXPECT_GT(noticed, 0U);
}

TEST(Fingerprint, SaysWhenAFileWasReplaced) {
    MappedFile file;
    const CheckpointPtr checkpoint = file.open();
    ASSERT_TRUE(checkpoint->openFile(FileIndex(0))); // the checkpoint keeps the old file open
    std::ofstream(file.folder() / "new.bin") << std::string(kBytes, 'x');
    std::filesystem::rename(file.folder() / "new.bin", file.folder() / "w.bin");
    const Fingerprint result = hashWhole(*checkpoint);
    ASSERT_TRUE(result.firstError);
    EXPECT_EQ(result.firstError->code, ErrorCode::ChangedOnDisk);
    EXPECT_FALSE(result.whole);
}

TEST(Fingerprint, AnOldFileIsReadOnce) {
    MappedFile file;
    CheckpointPtr checkpoint = file.open();
    EXPECT_EQ(tensorsBeingWritten(*checkpoint, kFirst).size(), 1U);
    CheckpointData data = checkpoint->data();
    data.files[0].identity.mtimeNs = 0;
    data.files[0].identity.ctimeNs = 0;
    checkpoint =
        Checkpoint::make(std::move(data)); // has no path, so that its file system is not examined
    EXPECT_TRUE(tensorsBeingWritten(*checkpoint, kFirst).empty());
}

} // namespace
} // namespace cairn
