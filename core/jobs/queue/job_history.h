// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/record_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The jobs of this user that have ended, whatever started them; it survives restarts.
namespace cairn {

enum class JobOutcome : std::uint8_t { Done, Failed, Stopped };
std::string_view outcomeName(JobOutcome outcome); ///< "done", …

struct EndedJob {
    std::string id; ///< names the record
    JobOutcome outcome = JobOutcome::Done;
    std::vector<std::string> command; ///< arguments of cairn-cli
    std::filesystem::path source;     ///< may be empty
    std::filesystem::path output;     ///< absolute
    std::uint64_t tensors = 0;        ///< Done only, as are the next two
    std::uint64_t bytes = 0;
    bool verified = false;
    double seconds = 0;
    std::int64_t ended = 0;   ///< in seconds since 1970
    Sentence message;         ///< of the error; Failed only
    std::string stamp;        ///< see outputStamp(); Done only
    std::int64_t process = 0; ///< in which it ran
};

/// One folder of records. Any thread; other processes may use it at the same time.
class JobHistory {
public:
    static constexpr std::size_t kMost = 50; ///< that are kept

    explicit JobHistory(std::filesystem::path folder) : m_records(std::move(folder)) {}

    /// Sets `id`, `ended` and `process`, and removes the oldest beyond kMost. Fails with the errors
    /// of FileOps; a job is done without its record.
    Result<void> add(FileOps& fileOps, EndedJob job) const;
    /// Newest first, at most kMost.
    [[nodiscard]] std::vector<EndedJob> list() const;
    void clear(FileOps& fileOps) const;

private:
    RecordFolder m_records;
};

} // namespace cairn
