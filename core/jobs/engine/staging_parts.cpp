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

/// False: another process is publishing, or has just published.
Result<bool> Staging::lockToPublish(const std::string& name) {
    auto lock = m_fileOps->createFile(m_parent, name);
    if (!lock && lock.error().code == ErrorCode::OutputExists) {
        lock = m_fileOps->openFile(m_parent, name);
    }
    if (!lock && lock.error().code == ErrorCode::NotFound) {
        return false; // just published
    }
    if (!lock) {
        return std::move(lock).error();
    }
    for (;;) {
        CAIRN_TRY(const bool mine, m_fileOps->lock(*lock));
        if (mine) {
            m_publishLock = std::move(*lock);
            return true;
        }
        if (stagedSize(*lock) > 0) {
            return false; // another part is publishing
        }
        CAIRN_CHECK(m_context->proceed());
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

/// The numbers of the parts that are not complete, only the first one if this is a part itself.
/// `all`: what the journals of the others record.
Result<std::vector<std::size_t>> Staging::missingParts(JournalContent& all) const {
    std::vector<std::size_t> missing;
    JobPart part = m_options.part;
    const bool enough = !part.isLastStep();
    for (part.index = 1; part.index <= part.count && !(enough && !missing.empty()); ++part.index) {
        CAIRN_TRY(const bool done, isDone(part, all));
        if (!done) {
            missing.push_back(part.index);
        }
    }
    return missing;
}

Error Staging::notAllDone(const std::vector<std::size_t>& missing) const {
    constexpr std::size_t kNamed = 20;
    std::string names;
    for (std::size_t i = 0; i < std::min(missing.size(), kNamed); ++i) {
        names += (i == 0 ? "" : ", ") + std::to_string(missing[i]);
    }
    names += missing.size() > kNamed ? ", …" : "";
    return fail(ErrorCode::MissingShard, "Not all parts of the job are complete; nothing was "
                                         "published")
        .inFile(m_plan->output.string())
        .butFound(sentence("incomplete parts: %1", names))
        .expecting(sentence("%1 complete parts", m_options.part.count))
        .withHint("Their logs contain the reasons. Run these parts again; those that are complete "
                  "are not written again");
}

Result<std::optional<JournalContent>> Staging::takeOver(Durability durability) {
    const bool last = m_options.part.isLastStep();
    if (!last) {
        CAIRN_CHECK(m_journal->complete(durability));
    }
    if (m_options.part.leavesPublishing && !last) {
        m_journal.reset();
        return std::optional<JournalContent>();
    }
    m_journal.reset(); // the last part must be able to see that this part has ended
    if (last) {        // before there is a lock, which a later step would have to remove
        JournalContent ignored;
        CAIRN_TRY(const auto missing, missingParts(ignored));
        if (!missing.empty()) {
            removeFile(m_parent, journalName(m_options.part));
            return notAllDone(missing);
        }
    }
    const std::string lockName = m_stagedName + std::string(kLockSuffix);
    CAIRN_TRY(const bool mine, lockToPublish(lockName));
    if (!mine && last) {
        return fail(ErrorCode::JobIsRunning, "Another process is publishing this job")
            .inFile(m_plan->output.string());
    }
    if (!mine) {
        return std::optional<JournalContent>();
    }
    JournalContent all;
    CAIRN_TRY(const auto missing, missingParts(all));
    if (!missing.empty()) {
        removeStaleLock(lockName);
        m_publishLock = FileHandle();
        return last ? Result<std::optional<JournalContent>>(notAllDone(missing))
                    : std::optional<JournalContent>();
    }
    CAIRN_CHECK(checkNoOutput()); // published by a part that was killed before it had finished
    CAIRN_CHECK(m_fileOps->writeAt(m_publishLock, 0, asBytes("1")));
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
