// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/staging.h"

#include "core/base/endian.h"
#include "core/io/folder.h"
#include "core/io/path_kind.h"
#include "core/jobs/record/manifest.h"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <unistd.h>
#include <utility>

/// Files get their final names only when they are finished and durable.
/// A file output is written next to its destination and renamed. A folder output is written into a
/// folder next to its destination, which is renamed as one, so that an index never refers to
/// missing files. The rename refuses to replace existing files. Order: data of every file
/// (fdatasync), entries of the staged folder (fsync), rename, entry in the parent (fsync),
/// manifest. If anything fails after the rename, the output is removed again: it belongs to this
/// job, because the rename proved that there was none before.
/// A process that is killed removes nothing. The journal next to the staged files records for the
/// next process with the same plan which data is already written; a lock on it prevents two
/// processes from working at the same time. The parts of a job have separate journals and common
/// files. The last part publishes: it takes a lock and examines all journals, and if all are
/// complete it keeps the lock to the end. From then on it alone touches the files: a part that is
/// sent again finds its journal complete and opens none. A process that holds its journal examines
/// whether the output has its name: journals are removed after that rename, so a new one without
/// an output belongs to an unfinished job. What a journal records is void without the files.
namespace cairn {
namespace {

/// The part of a path after its last slash.
std::string lastName(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

std::string stagedName(const std::string& name, std::string_view digest) {
    return "." + name.substr(0, 200) + std::string(kPartialMark) +
           std::string(digest.substr(0, kJobIdLength));
}

bool isOwn(const FileHandle& file) {
    struct stat status {};
    return ::fstat(file.fd(), &status) == 0 && status.st_uid == ::geteuid();
}

} // namespace

std::uint64_t stagedSize(const FileHandle& file) {
    struct stat status {};
    return ::fstat(file.fd(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::filesystem::path stagedPath(const std::filesystem::path& output, std::string_view digest) {
    const std::filesystem::path parent = output.parent_path();
    return (parent.empty() ? std::filesystem::path(".") : parent) /
           stagedName(output.filename().string(), digest);
}

std::filesystem::path partJournal(const std::filesystem::path& staged, JobPart part) {
    const std::string name = staged.string() + std::string(kJournalSuffix);
    return part.whole()
               ? name
               : name + "-" + std::to_string(part.index) + "-of-" + std::to_string(part.count);
}

std::filesystem::path stagedManifest(const std::filesystem::path& staged) {
    return staged.string() + std::string(kManifestLate.stagedSuffix);
}

std::uint64_t allocatedBytes(const std::filesystem::path& path) {
    std::uint64_t bytes = 0;
    const auto add = [&bytes](const std::filesystem::path& file) {
        struct stat status {};
        if (::lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
            bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
        }
    };
    add(path);
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
        add(entry.path());
    }
    return bytes;
}

Staging::Staging(const CopyPlan& plan, FileOps& fileOps, JobContext& context,
                 const Options& options)
    : m_fileOps(&fileOps), m_context(&context), m_plan(&plan), m_options(options),
      m_finalName(plan.output.filename().string()),
      m_stagedName(stagedName(m_finalName, m_options.digest)),
      m_path(stagedPath(plan.output, options.digest)), m_keep(true) {}

Staging::Staging(Staging&& other) noexcept
    : m_fileOps(other.m_fileOps), m_context(other.m_context), m_plan(other.m_plan),
      m_options(std::move(other.m_options)), m_finalName(std::move(other.m_finalName)),
      m_stagedName(std::move(other.m_stagedName)), m_late(std::move(other.m_late)),
      m_path(std::move(other.m_path)), m_parent(std::move(other.m_parent)),
      m_folder(std::move(other.m_folder)), m_subfolders(std::move(other.m_subfolders)),
      m_journal(std::move(other.m_journal)), m_publishLock(std::move(other.m_publishLock)),
      m_created(std::move(other.m_created)), m_madeFolders(std::move(other.m_madeFolders)),
      m_files(std::move(other.m_files)), m_folderMade(other.m_folderMade),
      m_renamed(other.m_renamed), m_keep(std::exchange(other.m_keep, true)) {
    other.m_madeFolders.clear();
}

Result<Staging> Staging::create(const CopyPlan& plan, FileOps& fileOps, JobContext& context,
                                const Options& options) {
    Staging staging(plan, fileOps, context, options);
    CAIRN_CHECK(staging.openParent());
    CAIRN_CHECK(staging.openJournal());
    staging.m_keep = !options.part.whole();
    if (!staging.m_journal->content().complete && !options.part.isLastStep()) {
        CAIRN_CHECK(staging.openFiles());
    }
    return staging;
}

Result<void> Staging::openParent() {
    CAIRN_CHECK(checkOutputIsHere(m_plan->output));
    std::filesystem::path existing = m_plan->output.parent_path();
    if (existing.empty()) {
        existing = ".";
    }
    std::vector<std::string> missing;
    std::error_code error;
    // The parent of "." is ".", and the working folder may not exist.
    while (!std::filesystem::exists(existing, error) && existing.has_filename() &&
           existing != ".") {
        missing.push_back(existing.filename().string());
        existing = existing.has_parent_path() ? existing.parent_path() : std::filesystem::path(".");
    }
    CAIRN_TRY(m_parent, m_fileOps->openFolder(existing));
    CAIRN_CHECK(checkNames());
    for (; !missing.empty(); missing.pop_back()) {
        CAIRN_CHECK(m_fileOps->makeFolder(m_parent, missing.back()));
        auto inner = m_fileOps->openFolderIn(m_parent, missing.back());
        m_madeFolders.push_back({std::move(m_parent), missing.back()});
        if (!inner) {
            return std::move(inner).error();
        }
        m_parent = std::move(*inner);
    }
    return {};
}

/// A name that is too long would otherwise fail only after everything is written.
Result<void> Staging::checkNames() const {
    const long most = ::fpathconf(m_parent.fd(), _PC_NAME_MAX);
    const std::string manifest = manifestPath(*m_plan).filename().string();
    const std::size_t longest = m_plan->layout.folder ? m_finalName.size() : manifest.size();
    if (most > 0 && longest > static_cast<std::size_t>(most)) {
        return fail(ErrorCode::InvalidArgument, "The output's name is too long")
            .inFile(m_plan->output.string())
            .butFound(sentence("%1 bytes", m_finalName.size()))
            .expecting(sentence(
                "at most %1 bytes%2",
                static_cast<std::size_t>(most) - (longest - m_finalName.size()),
                m_plan->layout.folder ? Sentence("") : ", because its manifest is named after it"));
    }
    return {};
}

std::string Staging::journalName(JobPart part) const {
    return partJournal(m_stagedName, part).string();
}

Result<void> Staging::openJournal() {
    CAIRN_TRY(m_journal, Journal::open(*m_fileOps, m_parent, m_path.parent_path(),
                                       journalName(m_options.part), m_options.digest));
    const auto valid = checkSameParts();
    if (const auto begins = valid ? checkNoOutput() : valid; !begins) {
        if (m_journal->content().empty()) {
            m_journal.reset();
            removeFile(m_parent, journalName(m_options.part));
        }
        return begins;
    }
    CAIRN_CHECK(forgetWithoutFiles());
    if (!m_journal->content().records.empty()) {
        m_context->log(sentence("Resuming an interrupted job: %1 pieces are already written",
                                m_journal->content().records.size()));
    }
    return {};
}

Result<void> Staging::checkNoOutput() const {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(m_plan->output, error))) {
        return fail(ErrorCode::OutputExists, "The output already exists; nothing was replaced")
            .inFile(m_plan->output.string());
    }
    return {};
}

bool Staging::filesExist() const {
    return std::ranges::all_of(m_plan->layout.files, [&](const OutputFile& file) {
        std::error_code error;
        return std::filesystem::is_regular_file(std::filesystem::symlink_status(
            m_plan->layout.folder ? m_path / file.name : m_path, error));
    });
}

/// A file of the job that no process has locked; locked as long as it is open. Else invalid.
FileHandle Staging::lockFree(const std::string& name) const {
    auto file = m_fileOps->openFile(m_parent, name);
    return file && m_fileOps->lock(*file).value_or(false) ? std::move(*file) : FileHandle();
}

/// Somebody removed the files, or a process was killed while it removed them.
Result<void> Staging::forgetWithoutFiles() {
    if (filesExist()) {
        return {};
    }
    if (!m_journal->content().empty()) {
        m_context->log("The files of the interrupted job are gone; all of it is written again");
        CAIRN_CHECK(m_journal->clear());
    }
    JobPart part = m_options.part;
    for (part.index = 1; part.index <= part.count; ++part.index) {
        if (part.index == m_options.part.index) {
            continue;
        }
        const std::string name = journalName(part);
        // Examined again while no process can write them for that part.
        if (const FileHandle held = lockFree(name); held.valid() && !filesExist()) {
            removeFile(m_parent, name);
        }
    }
    return {};
}

Result<FileHandle> Staging::openOrCreate(const FileHandle& folder, const std::string& path,
                                         std::uint64_t most) {
    const std::string name = lastName(path);
    auto handle = m_fileOps->createFile(folder, name);
    const bool begun = !handle && handle.error().code == ErrorCode::OutputExists;
    if (begun) {
        handle = m_fileOps->openFile(folder, name);
    }
    if (!handle) {
        return handle;
    }
    m_created.push_back(path);
    if (begun && stagedSize(*handle) > most) {
        CAIRN_CHECK(m_fileOps->truncate(*handle, most));
    }
    return handle;
}

/// Reserves space for the written data; shared ranges need none.
Result<bool> Staging::reserve(const FileHandle& handle, std::size_t file) {
    const std::uint64_t size = m_plan->layout.files[file].size;
    const std::span<const SharedRange> shared = m_plan->sharedOf(file);
    if (shared.empty()) {
        return m_fileOps->preallocate(handle, size);
    }
    CAIRN_CHECK(m_fileOps->truncate(handle, size));
    bool reserved = true;
    std::uint64_t at = 0;
    const auto gap = [&](std::uint64_t end) -> Result<void> {
        if (end > at && reserved) {
            CAIRN_TRY(reserved, m_fileOps->preallocate(handle, at, end - at));
        }
        return {};
    };
    for (const SharedRange& range : shared) {
        CAIRN_CHECK(gap(range.offset));
        at = range.end();
    }
    CAIRN_CHECK(gap(size));
    return reserved;
}

/// The folder of a file in a folder output; makes it if necessary.
Result<const FileHandle*> Staging::folderOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == path.npos) {
        return &m_folder;
    }
    const std::string_view inner = path.substr(0, slash);
    if (const auto found = m_subfolders.find(inner); found != m_subfolders.end()) {
        return &found->second;
    }
    CAIRN_TRY(const FileHandle* outer, folderOf(inner));
    const auto made = m_fileOps->makeFolder(*outer, lastName(inner));
    if (!made && made.error().code != ErrorCode::OutputExists) {
        return made.error();
    }
    auto opened = m_fileOps->openFolderIn(*outer, lastName(inner));
    if (!opened) {
        if (made) {
            removeFolder(*outer, lastName(inner));
        }
        return std::move(opened).error();
    }
    if (!made && !isOwn(*opened)) {
        return made.error(); // prepared by another user
    }
    return &m_subfolders.emplace(inner, std::move(*opened)).first->second;
}

Result<void> Staging::openFiles() {
    m_subfolders.clear();
    if (m_plan->layout.folder) {
        const auto made = m_fileOps->makeFolder(m_parent, m_stagedName);
        if (!made && made.error().code != ErrorCode::OutputExists) {
            return made;
        }
        m_folderMade = made.has_value();
        CAIRN_TRY(m_folder, m_fileOps->openFolderIn(m_parent, m_stagedName));
        if (!isOwn(m_folder)) {
            return made; // prepared by another user
        }
        m_folderMade = true;
    }
    for (std::size_t i = 0; i < m_plan->layout.files.size(); ++i) {
        const OutputFile& file = m_plan->layout.files[i];
        const FileHandle* folder = &m_parent;
        if (m_plan->layout.folder) {
            CAIRN_TRY(folder, folderOf(file.name));
        }
        CAIRN_TRY(
            FileHandle handle,
            openOrCreate(*folder, m_plan->layout.folder ? file.name : m_stagedName, file.size));
        CAIRN_TRY(const bool reserved, reserve(handle, i));
        if (!reserved) {
            m_context->log(
                "The file system cannot reserve space; a full disk is only detected while writing");
        }
        const bool direct = m_options.direct && m_fileOps->setIoMode(handle, IoMode::Direct);
        m_files.push_back({std::move(handle), direct});
    }
    return {};
}

Result<void> Staging::closeFiles(Durability durability) {
    for (StagedFile& file : m_files) {
        if (durability == Durability::Synced) {
            CAIRN_CHECK(m_fileOps->sync(file.handle));
        }
        CAIRN_CHECK(m_fileOps->close(std::move(file.handle)));
    }
    m_files.clear();
    return {};
}

Result<void> Staging::addLate(const LateName& wanted, std::string_view text,
                              Durability durability) {
    const bool inFolder = m_plan->layout.folder;
    const FileHandle& folder = inFolder ? m_folder : m_parent;
    const std::string name =
        inFolder ? std::string(wanted.inFolder) : m_stagedName + std::string(wanted.stagedSuffix);
    CAIRN_TRY(FileHandle handle, openOrCreate(folder, name, 0));
    if (!inFolder) {
        m_late.push_back({name, m_finalName + std::string(wanted.suffix)});
    }
    CAIRN_CHECK(m_fileOps->writeAt(handle, 0, asBytes(text)));
    if (durability == Durability::Synced) {
        CAIRN_CHECK(m_fileOps->sync(handle));
    }
    return m_fileOps->close(std::move(handle));
}

Result<void> Staging::publish(Durability durability) {
    const bool synced = durability == Durability::Synced;
    if (m_plan->layout.folder && synced) {
        for (const auto& [path, folder] : m_subfolders) {
            CAIRN_CHECK(m_fileOps->syncFolder(folder));
        }
        CAIRN_CHECK(m_fileOps->syncFolder(m_folder));
    }
    CAIRN_CHECK(m_fileOps->renameNoReplace(m_parent, m_stagedName, m_parent, m_finalName));
    m_renamed = true;
    CAIRN_CHECK(synced ? syncParents() : Result<void>());
    for (const LateFile& late : m_late) {
        CAIRN_CHECK(m_fileOps->renameNoReplace(m_parent, late.staged, m_parent, late.name));
        std::ranges::replace(m_created, late.staged, late.name);
        CAIRN_CHECK(synced ? syncParents() : Result<void>());
    }
    m_keep = true;
    removeJournals();
    return {};
}

Result<void> Staging::syncParents() {
    CAIRN_CHECK(m_fileOps->syncFolder(m_parent));
    for (const MadeFolder& made : m_madeFolders) {
        CAIRN_CHECK(m_fileOps->syncFolder(made.parent));
    }
    return {};
}

void Staging::removeCreated(const std::string& path) {
    if (!m_plan->layout.folder) {
        removeFile(m_parent, m_renamed && path == m_stagedName ? m_finalName : path);
    } else if (const auto folder = folderOf(path)) {
        removeFile(**folder, lastName(path));
    }
}

void Staging::removeSubfolders() {
    while (!m_subfolders.empty()) { // the inner ones first
        const auto last = std::prev(m_subfolders.end());
        const std::string path = last->first;
        m_subfolders.erase(last);
        if (const auto outer = folderOf(path)) {
            removeFolder(**outer, lastName(path));
        }
    }
}

void Staging::removeFile(const FileHandle& folder, const std::string& name) {
    logFailure(m_fileOps->removeFile(folder, name));
}

void Staging::removeFolder(const FileHandle& parent, const std::string& name) {
    logFailure(m_fileOps->removeFolder(parent, name));
}

void Staging::logFailure(const Result<void>& removed) {
    if (!removed) {
        m_context->log(sentence("Could not be removed: %1", describe(removed.error())));
    }
}

/// Removes all journals of this plan, including those of runs with a different number of parts, but
/// not those that other processes hold.
void Staging::removeJournals() {
    const auto folder = Folder::open(m_path.parent_path());
    const auto entries = entriesOf(folder);
    if (!entries) {
        m_context->log(sentence("Remaining journals: %1", describe(entries.error())));
        return;
    }
    for (const FolderEntry& entry : *entries) {
        const bool journal = entry.name.starts_with(m_stagedName + std::string(kJournalSuffix));
        const bool own = m_journal && entry.name == journalName(m_options.part);
        if (journal ? own || lockFree(entry.name).valid()
                    : entry.name == m_stagedName + std::string(kLockSuffix)) {
            removeFile(m_parent, entry.name);
        }
    }
}

Staging::~Staging() {
    const bool suspended = m_context->suspended() && !m_renamed;
    if (m_keep || suspended) {
        return;
    }
    m_files.clear(); // closes
    for (const std::string& path : m_created) {
        removeCreated(path);
    }
    removeSubfolders();
    if (m_folderMade) {
        removeFolder(m_parent, m_renamed ? m_finalName : m_stagedName);
    }
    removeJournals();
    for (; !m_madeFolders.empty(); m_madeFolders.pop_back()) {
        removeFolder(m_madeFolders.back().parent, m_madeFolders.back().name);
    }
}

} // namespace cairn
