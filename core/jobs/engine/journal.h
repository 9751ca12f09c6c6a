// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/cast.h"
#include "core/io/content_digest.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/durability.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A record of what a job has written, so that a killed job can be resumed, and parts that several
/// machines write can be merged. A file of JSON lines beside the staged output: a
/// head, a line for each finished run, and a last one once everything is durable.
namespace cairn {

/// One finished run of the write pass (see write_pass.cpp).
struct RunRecord {
    /// The run's part of a block that it shares with a neighbouring run.
    struct Fragment {
        std::uint32_t file = 0;
        std::uint64_t block = 0; ///< offset of the block in the file
        std::size_t at = 0;      ///< in the block
        std::vector<std::byte> bytes;
    };
    std::uint64_t run = 0;   ///< position in the order of the files
    std::uint64_t bytes = 0; ///< of the output, for the progress of the job
    std::vector<Fragment> fragments;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        checksums; ///< index of the tensor segment in the run's file, CRC-32
};

/// Files of the output that a part has finished, read back and compared.
struct VerifiedFiles {
    struct File {
        std::uint32_t file = 0; ///< position in the plan
        Sha256Digest digest{};
        std::vector<ContentDigest> tensors;   ///< of its segments, in order, all of one kind
        std::vector<std::uint32_t> sums = {}; ///< OutputHashes::sums; earlier programs had none
    };
    std::vector<File> files;
    CastTally cast;                ///< of their casts
    std::uint64_t provenBytes = 0; ///< blocks proved to be shared with the source
};

/// The content of a journal.
struct JournalContent {
    std::vector<RunRecord> records;
    std::vector<VerifiedFiles> verified;
    bool complete = false; ///< all of the part's runs, durable

    [[nodiscard]] bool empty() const { return records.empty() && verified.empty() && !complete; }
};
/// Number of its digits that identify a job in messages and file names.
inline constexpr std::size_t kJobIdLength = 12;
/// Precedes the id in the names of a job's temporary files.
inline constexpr std::string_view kPartialMark = ".cairn-partial-";

/// Changes with every start of the machine; empty where the system has none.
std::string bootId();

/// ChangedOnDisk: what a journal records cannot be what the job has written.
Error journalMisfit();

/// One process's journal, locked as long as it is open. Safe from any thread.
class Journal {
public:
    /// Creates the journal, or opens the existing one. Its lines up to the first torn one are used
    /// if they were written since the machine started or were completed, because the page cache
    /// survives the end of a process but not a power failure. `content`: the work that is already
    /// done. Fails: JobIsRunning if another process has it, ChangedOnDisk if it belongs to a
    /// different plan, and the errors of FileOps.
    static Result<Journal> open(FileOps& fileOps, const FileHandle& folder,
                                const std::filesystem::path& folderPath, const std::string& name,
                                const std::string& digest);

    /// Reads the journal of another process. NotFound if there is none; ChangedOnDisk as above.
    static Result<JournalContent> read(const std::filesystem::path& path,
                                       const std::string& digest);

    [[nodiscard]] const JournalContent& content() const { return m_content; }
    Result<void> add(const RunRecord& record);
    Result<void> add(const VerifiedFiles& verified);
    /// Forgets everything that it records.
    Result<void> clear();
    /// Makes the journal durable; call it after the output's data is durable.
    Result<void> complete(Durability durability);

private:
    Journal(FileOps& fileOps, FileHandle file) : m_fileOps(&fileOps), m_file(std::move(file)) {}
    Result<void> take(const std::filesystem::path& path, bool isNew, const std::string& digest);
    Result<void> append(std::string_view line);

    FileOps* m_fileOps;
    FileHandle m_file;
    std::string m_digest; ///< of the plan
    JournalContent m_content;
    std::uint64_t m_end = 0;
    std::unique_ptr<std::mutex> m_mutex = std::make_unique<std::mutex>(); ///< guards m_end
};

} // namespace cairn
