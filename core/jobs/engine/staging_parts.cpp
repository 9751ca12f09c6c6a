// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/io/folder.h"
#include "core/jobs/engine/staging.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>

/// What the parts of a job find out about each other. See staging.cpp.
namespace cairn {

/// Parts of different divisions of a job would write the same bytes twice, and none of them would
/// know when the job is done.
Result<void> Staging::checkSameParts() const {
    const auto folder = Folder::open(m_path.parent_path());
    CAIRN_TRY(const auto entries, entriesOf(folder));
    const std::string own = m_stagedName + std::string(kJournalSuffix);
    const std::string division =
        m_options.part.whole() ? "" : "-of-" + std::to_string(m_options.part.count);
    for (const FolderEntry& entry : entries) {
        if (!entry.name.starts_with(own)) {
            continue;
        }
        const std::string rest = entry.name.substr(own.size());
        const std::size_t of = std::min(rest.find("-of-"), rest.size());
        if (rest.substr(of) != division) {
            const std::string count = of < rest.size() ? rest.substr(of + 4) : "1";
            return fail(ErrorCode::InvalidArgument,
                        "This job was started with a different number of parts")
                .inFile((m_path.parent_path() / entry.name).string())
                .butFound(verbatim(std::to_string(m_options.part.count)))
                .expecting(verbatim(count))
                .withHint(sentence("N of --part I/N is the same in every call; `cairn-cli job "
                                   "clean %1` removes what was written, to start with another",
                                   m_options.digest.substr(0, kJobIdLength)));
        }
    }
    return {};
}

Result<bool> Staging::isDone(JobPart part, JournalContent& all) const {
    auto content = Journal::read(m_path.parent_path() / journalName(part), m_options.digest);
    if (!content && content.error().code == ErrorCode::NotFound) {
        return false; // not started
    }
    CAIRN_CHECK(content);
    std::ranges::move(content->records, std::back_inserter(all.records));
    std::ranges::move(content->verified, std::back_inserter(all.verified));
    return content->complete;
}

/// If the last part published between complete() and createFile(), the lock is a file that nobody
/// would remove: the journal of this part is no longer there.
void Staging::removeStaleLock(const std::string& name) {
    const auto own = m_fileOps->openFile(m_parent, journalName(m_options.part));
    if (!own && own.error().code == ErrorCode::NotFound) {
        removeFile(m_parent, name);
    }
}

Result<std::optional<JournalContent>> Staging::takeOver(Durability durability) {
    CAIRN_CHECK(m_journal->complete(durability));
    m_journal.reset(); // the last part must be able to see that this part has ended
    const std::string lockName = m_stagedName + std::string(kLockSuffix);
    auto lock = m_fileOps->createFile(m_parent, lockName);
    if (!lock && lock.error().code == ErrorCode::OutputExists) {
        lock = m_fileOps->openFile(m_parent, lockName);
    }
    if (!lock && lock.error().code == ErrorCode::NotFound) {
        return std::optional<JournalContent>(); // just published
    }
    if (!lock) {
        return std::move(lock).error();
    }
    for (;;) {
        CAIRN_TRY(const bool mine, m_fileOps->lock(*lock));
        if (mine) {
            break;
        }
        if (stagedSize(*lock) > 0) {
            return std::optional<JournalContent>(); // another part is publishing
        }
        CAIRN_CHECK(m_context->proceed());
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    JournalContent all;
    JobPart part = m_options.part;
    for (part.index = 1; part.index <= part.count; ++part.index) {
        CAIRN_TRY(const bool done, isDone(part, all));
        if (!done) {
            removeStaleLock(lockName);
            return std::optional<JournalContent>();
        }
    }
    CAIRN_CHECK(checkNoOutput()); // published by a part that was killed before it had finished
    CAIRN_CHECK(m_fileOps->writeAt(*lock, 0, asBytes("1")));
    m_publishLock = std::move(*lock);
    m_keep = false;
    m_created.clear();
    if (!filesExist()) {
        return fail(ErrorCode::ChangedOnDisk, "The files of the job were removed while it ran")
            .inFile(m_path.string())
            .withHint("Run all parts of the job again");
    }
    CAIRN_CHECK(openFiles());
    return std::optional(std::move(all));
}

} // namespace cairn
