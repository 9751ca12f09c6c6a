// SPDX-License-Identifier: Apache-2.0
//
// SQLite's own "mode=ro" may still create "-shm" (and take locks) in the folder of a database with
// a write-ahead log, and "immutable=1" ignores that log. Both are settled by giving SQLite a file
// system that cannot do otherwise. Source: sqlite.org/vfs.html, sqlite.org/wal.html section 8.
#include "core/runs/history/sqlite/read_only_vfs.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>
#include <utility>

namespace cairn::history::sqlite {
namespace {

constexpr int kMaxPath = 64;
constexpr sqlite3_int64 kUnixEpochMs =
    210866760000000; ///< the Unix epoch in milliseconds of the Julian day

/// An open file; SQLite allocates the memory.
struct OpenFile {
    sqlite3_file base; ///< must be the first member
    const ByteSource* source;
    std::optional<Error>* failure;
};

OpenFile& fileOf(sqlite3_file* file) {
    return *reinterpret_cast<OpenFile*>(file);
}

int readFile(sqlite3_file* raw, void* out, int count, sqlite3_int64 offset) {
    const OpenFile& file = fileOf(raw);
    const std::span<std::byte> bytes(static_cast<std::byte*>(out), static_cast<std::size_t>(count));
    const auto from = static_cast<std::uint64_t>(offset);
    const std::uint64_t size = file.source->size();
    const std::uint64_t there =
        from < size ? std::min<std::uint64_t>(size - from, bytes.size()) : 0;
    const auto filled = static_cast<std::size_t>(there);
    if (filled > 0) {
        if (auto read = file.source->readAt(from, bytes.first(filled)); !read) {
            *file.failure = std::move(read).error();
            return SQLITE_IOERR_READ;
        }
    }
    if (filled < bytes.size()) {
        std::memset(bytes.data() + filled, 0, bytes.size() - filled); // SQLite relies on it
        return SQLITE_IOERR_SHORT_READ;
    }
    return SQLITE_OK;
}

int sizeOfFile(sqlite3_file* raw, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>(fileOf(raw).source->size());
    return SQLITE_OK;
}

int noReservedLock(sqlite3_file* /*file*/, int* reserved) {
    *reserved = 0;
    return SQLITE_OK;
}

int refuseWrite(sqlite3_file* /*file*/, const void* /*from*/, int /*count*/,
                sqlite3_int64 /*offset*/) {
    return SQLITE_READONLY;
}
int refuseTruncate(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) {
    return SQLITE_READONLY;
}
int doNothing(sqlite3_file* /*file*/) {
    return SQLITE_OK;
}
int ignoreCall(sqlite3_file* /*file*/, int /*flags*/) {
    return SQLITE_OK;
}
int noControl(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) {
    return SQLITE_NOTFOUND;
}
int sectorSize(sqlite3_file* /*file*/) {
    return 4096;
}
int noCharacteristics(sqlite3_file* /*file*/) {
    return 0;
}

/// Version 1: without shared memory and memory mapping.
constexpr sqlite3_io_methods kMethods{1,
                                      doNothing, // close
                                      readFile,
                                      refuseWrite,
                                      refuseTruncate,
                                      ignoreCall, // sync
                                      sizeOfFile,
                                      ignoreCall, // lock
                                      ignoreCall, // unlock
                                      noReservedLock,
                                      noControl,
                                      sectorSize,
                                      noCharacteristics,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr};

int refuseDelete(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync*/) {
    return SQLITE_READONLY;
}

int fullPath(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
    const std::string_view text(name);
    if (text.size() >= static_cast<std::size_t>(size)) {
        return SQLITE_CANTOPEN;
    }
    std::memcpy(out, text.data(), text.size());
    out[text.size()] = '\0';
    return SQLITE_OK;
}

void* openNoLibrary(sqlite3_vfs* /*vfs*/, const char* /*name*/) {
    return nullptr;
}
void noLibraryError(sqlite3_vfs* /*vfs*/, int size, char* out) {
    if (size > 0) {
        out[0] = '\0';
    }
}
void (*noSymbol(sqlite3_vfs* /*vfs*/, void* /*library*/, const char* /*name*/))(void) {
    return nullptr;
}
void closeNoLibrary(sqlite3_vfs* /*vfs*/, void* /*library*/) {}

/// Reading needs no random numbers.
int notRandom(sqlite3_vfs* /*vfs*/, int size, char* out) {
    std::memset(out, 0, static_cast<std::size_t>(size));
    return size;
}
int noSleep(sqlite3_vfs* /*vfs*/, int /*microseconds*/) {
    return 0;
}
int currentTime(sqlite3_vfs* /*vfs*/, double* days) {
    *days = (static_cast<double>(kUnixEpochMs) + static_cast<double>(std::time(nullptr)) * 1000) /
            86'400'000.0;
    return SQLITE_OK;
}
int noLastError(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) {
    return 0;
}

} // namespace

struct ReadOnlyVfs::Access {
    static ReadOnlyVfs& self(sqlite3_vfs* vfs) { return *static_cast<ReadOnlyVfs*>(vfs->pAppData); }

    static const ByteSourcePtr* find(const ReadOnlyVfs& vfs, std::string_view name) {
        const std::string_view database(kDatabaseName);
        if (name == database) {
            return &vfs.m_files.database;
        }
        if (!name.starts_with(database)) {
            return nullptr;
        }
        name.remove_prefix(database.size());
        return name == "-wal"       ? &vfs.m_files.wal
               : name == "-journal" ? &vfs.m_files.journal
                                    : nullptr;
    }

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* raw, int flags,
                    int* outFlags) {
        raw->pMethods = nullptr;
        const ByteSourcePtr* source = name == nullptr ? nullptr : find(self(vfs), name);
        if (source == nullptr || *source == nullptr) {
            return SQLITE_CANTOPEN;
        }
        auto* file = new (raw) OpenFile{{&kMethods}, source->get(), &self(vfs).m_failure};
        static_cast<void>(file);
        if (outFlags != nullptr) {
            *outFlags =
                (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
        }
        return SQLITE_OK;
    }

    static int access(sqlite3_vfs* vfs, const char* name, int flags, int* answer) {
        const ByteSourcePtr* source = find(self(vfs), name);
        *answer = flags != SQLITE_ACCESS_READWRITE && source != nullptr && *source != nullptr;
        return SQLITE_OK;
    }
};

ReadOnlyVfs::ReadOnlyVfs(DatabaseFiles files) : m_files(std::move(files)) {
    if (m_files.wal == nullptr) { // in WAL mode there must be a log, even if it is empty
        m_files.wal = makeMemorySource({}, m_files.database->name() + "-wal");
    }
    m_name = "cairn-read-only-" + std::to_string(reinterpret_cast<std::uintptr_t>(this));
    m_vfs.iVersion = 1;
    m_vfs.szOsFile = static_cast<int>(sizeof(OpenFile));
    m_vfs.mxPathname = kMaxPath;
    m_vfs.zName = m_name.c_str();
    m_vfs.pAppData = this;
    m_vfs.xOpen = Access::open;
    m_vfs.xDelete = refuseDelete;
    m_vfs.xAccess = Access::access;
    m_vfs.xFullPathname = fullPath;
    m_vfs.xDlOpen = openNoLibrary;
    m_vfs.xDlError = noLibraryError;
    m_vfs.xDlSym = noSymbol;
    m_vfs.xDlClose = closeNoLibrary;
    m_vfs.xRandomness = notRandom;
    m_vfs.xSleep = noSleep;
    m_vfs.xCurrentTime = currentTime;
    m_vfs.xGetLastError = noLastError;
    sqlite3_vfs_register(&m_vfs, 0);
}

std::uint64_t ReadOnlyVfs::bytes() const {
    std::uint64_t sum = 0;
    for (const ByteSourcePtr& file : {m_files.database, m_files.wal, m_files.journal}) {
        sum += file == nullptr ? 0 : file->size();
    }
    return sum;
}

ReadOnlyVfs::~ReadOnlyVfs() {
    sqlite3_vfs_unregister(&m_vfs);
}

} // namespace cairn::history::sqlite
