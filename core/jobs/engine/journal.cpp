// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/journal.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/plan/copy_plan.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <optional>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMaxJournal = std::uint64_t{1} << 30U;
constexpr std::size_t kMaxLine = std::size_t{512} << 20U; ///< the digests of a part's tensors

std::string lineOf(const RunRecord& record) {
    Json line = {{"run", record.run}, {"bytes", record.bytes}};
    for (const RunRecord::Fragment& each : record.fragments) {
        line["fragments"].push_back({each.file, each.block, each.at, hexText(each.bytes)});
    }
    for (const auto& [tensor, crc] : record.checksums) {
        line["crc32"].push_back({tensor, crc});
    }
    return line.dump() + "\n";
}

std::uint64_t unsignedAt(const JsonValue& list, std::size_t i) {
    const auto items = list.elements();
    return i < items.size() ? items[i].asUnsigned().value_or(0) : 0;
}

RunRecord recordOf(const JsonValue& line, std::uint64_t run) {
    RunRecord record;
    record.run = run;
    if (const JsonValue* bytes = line.find("bytes")) {
        record.bytes = bytes->asUnsigned().value_or(0);
    }
    if (const JsonValue* fragments = line.find("fragments")) {
        for (const JsonValue& each : fragments->elements()) {
            const auto items = each.elements();
            const auto hex = items.size() == 4 ? items[3].asString().value_or("") : "";
            record.fragments.push_back(
                {static_cast<std::uint32_t>(unsignedAt(each, 0)), unsignedAt(each, 1),
                 static_cast<std::size_t>(unsignedAt(each, 2)), hexBytes(hex)});
        }
    }
    if (const JsonValue* checksums = line.find("crc32")) {
        for (const JsonValue& each : checksums->elements()) {
            record.checksums.emplace_back(static_cast<std::uint32_t>(unsignedAt(each, 0)),
                                          static_cast<std::uint32_t>(unsignedAt(each, 1)));
        }
    }
    return record;
}

std::string lineOf(const VerifiedFiles& verified) {
    Json files = Json::array();
    for (const VerifiedFiles::File& file : verified.files) {
        std::string tensors;
        for (const ContentDigest& digest : file.tensors) {
            tensors += hexText(digest.bytes());
        }
        const DigestKind kind = file.tensors.empty() ? DigestKind::Sha256 : file.tensors[0].kind;
        files.push_back(
            {file.file, hexText(file.digest), std::move(tensors), std::string(digestKey(kind))});
        if (!file.sums.empty()) {
            files.back().push_back(file.sums);
        }
    }
    const CastTally& cast = verified.cast;
    const Json tally = {cast.elements,
                        std::bit_cast<std::uint64_t>(cast.maxAbs),
                        std::bit_cast<std::uint64_t>(cast.maxUlp),
                        cast.overflowed,
                        cast.becameZero,
                        cast.becameSubnormal};
    return Json{{"verified", std::move(files)}, {"cast", tally}, {"proven", verified.provenBytes}}
               .dump() +
           "\n";
}

/// Digests in a row. Empty if the text is anything else.
std::optional<std::vector<ContentDigest>> digestsOf(std::string_view hex, DigestKind kind) {
    const std::size_t digits = 2 * digestSize(kind);
    if (hex.size() % digits != 0) {
        return std::nullopt;
    }
    std::vector<ContentDigest> digests(hex.size() / digits);
    for (std::size_t i = 0; i < digests.size(); ++i) {
        digests[i].kind = kind;
        std::ranges::copy(hexBytes(hex.substr(i * digits, digits)), digests[i].value.begin());
    }
    return digests;
}

/// SHA-256 if the line does not say: it is of a program that knew no other.
std::optional<DigestKind> kindOf(std::size_t items, std::string_view key) {
    for (const DigestKind kind : {DigestKind::Sha256, DigestKind::Xxh3}) {
        if (key == digestKey(kind) || (items == 3 && kind == DigestKind::Sha256)) {
            return kind;
        }
    }
    return std::nullopt;
}

std::optional<VerifiedFiles> verifiedOf(const JsonValue& line, const JsonValue& files) {
    VerifiedFiles verified;
    for (const JsonValue& each : files.elements()) {
        const auto items = each.elements();
        const auto text = [&](std::size_t i) {
            return i < items.size() ? items[i].asString().value_or("") : std::string_view();
        };
        const auto digest = digestsOf(text(1), DigestKind::Sha256);
        const auto kind = kindOf(items.size(), text(3));
        auto tensors = kind ? digestsOf(text(2), *kind) : std::nullopt;
        if (items.size() > 5 || !digest || digest->size() != 1 || !tensors) {
            return std::nullopt;
        }
        std::vector<std::uint32_t> sums;
        for (std::size_t i = 0; items.size() == 5 && i < items[4].elements().size(); ++i) {
            sums.push_back(static_cast<std::uint32_t>(unsignedAt(items[4], i)));
        }
        verified.files.push_back({static_cast<std::uint32_t>(unsignedAt(each, 0)),
                                  digest->front().value, std::move(*tensors), std::move(sums)});
    }
    if (const JsonValue* cast = line.find("cast")) {
        verified.cast = {unsignedAt(*cast, 0),
                         std::bit_cast<double>(unsignedAt(*cast, 1)),
                         std::bit_cast<double>(unsignedAt(*cast, 2)),
                         unsignedAt(*cast, 3),
                         unsignedAt(*cast, 4),
                         unsignedAt(*cast, 5)};
    }
    if (const JsonValue* proven = line.find("proven")) {
        verified.provenBytes = proven->asUnsigned().value_or(0);
    }
    return verified;
}

struct ReadJournal {
    JournalContent content;
    std::string digest; ///< empty: not even the head is complete
    std::string boot;
    std::uint64_t end = 0; ///< of the last complete line
};

/// Reads complete, valid lines up to the first other one.
ReadJournal parse(std::string_view text, const std::string& name) {
    ReadJournal journal;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos || end - at > kMaxLine) {
            break;
        }
        const auto line = parseJson(text.substr(at, end - at), name);
        if (!line) {
            break;
        }
        if (at == 0) {
            const JsonValue* digest = line->find("digest");
            const JsonValue* boot = line->find("boot");
            if (digest == nullptr || boot == nullptr) {
                break;
            }
            journal.digest = digest->asString().value_or("");
            journal.boot = boot->asString().value_or("");
        } else if (const JsonValue* run = line->find("run")) {
            journal.content.records.push_back(recordOf(*line, run->asUnsigned().value_or(0)));
        } else if (const JsonValue* files = line->find("verified")) {
            auto verified = verifiedOf(*line, *files);
            if (!verified) {
                break;
            }
            journal.content.verified.push_back(std::move(*verified));
        } else if (line->find("complete") != nullptr) {
            journal.content.complete = true;
        } else {
            break;
        }
        at = end + 1;
        journal.end = at;
    }
    return journal;
}

Result<ReadJournal> readFile(const std::filesystem::path& path) {
    CAIRN_TRY(const FolderPtr folder, Folder::open(path.parent_path()));
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(path.filename().string()));
    if (source->size() > kMaxJournal) {
        return fail(ErrorCode::LimitExceeded, "The entry is too long for a job's journal")
            .inFile(path.string())
            .butFound(sentence("%1 bytes", source->size()));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(source->size()));
    CAIRN_CHECK(source->readAt(0, bytes));
    return parse(asText(bytes), path.string());
}

Error otherPlan(const std::filesystem::path& path) {
    return fail(ErrorCode::ChangedOnDisk,
                "The interrupted job has a different plan, or its source has changed since")
        .inFile(path.string())
        .withHint("Remove the interrupted job with `cairn-cli job clean` and start again");
}

/// False if another process removed its name after it was opened.
bool isNamed(const FileHandle& file) {
    struct stat status {};
    return ::fstat(file.fd(), &status) != 0 || status.st_nlink > 0;
}

} // namespace

Error journalMisfit() {
    return fail(ErrorCode::ChangedOnDisk, "The job's journal does not match its plan")
        .withHint("Remove the interrupted job with `cairn-cli job clean` and start again");
}

std::string bootId() {
    std::ifstream in("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(in, id);
    return id;
}

Result<Journal> Journal::open(FileOps& fileOps, const FileHandle& folder,
                              const std::filesystem::path& folderPath, const std::string& name,
                              const std::string& digest) {
    constexpr int kMostRaces = 8; // the process that publishes the job removes its journals
    for (int races = 0;; ++races) {
        auto made = fileOps.createFile(folder, name);
        const bool isNew = made.has_value();
        if (!isNew && made.error().code == ErrorCode::OutputExists) {
            made = fileOps.openFile(folder, name);
        }
        if (!made && made.error().code == ErrorCode::NotFound && races < kMostRaces) {
            continue;
        }
        if (!made) {
            return std::move(made).error();
        }
        Journal journal(fileOps, std::move(*made));
        auto taken = journal.take(folderPath / name, isNew, digest);
        if (!taken) {
            if (isNew) {
                (void)fileOps.removeFile(folder, name); // the first failure is reported
            }
            return std::move(taken).error();
        }
        if (isNamed(journal.m_file) || races == kMostRaces) {
            return journal;
        }
    }
}

Result<void> Journal::take(const std::filesystem::path& path, bool isNew,
                           const std::string& digest) {
    CAIRN_TRY(const bool mine, m_fileOps->lock(m_file));
    if (!mine) {
        return fail(ErrorCode::JobIsRunning, "Another process is running this job")
            .inFile(path.string());
    }
    const std::string boot = bootId();
    m_digest = digest;
    if (!isNew) {
        CAIRN_TRY(ReadJournal read, readFile(path));
        if (!read.digest.empty() && read.digest != digest) {
            return otherPlan(path);
        }
        if (!read.digest.empty() && (read.content.complete || read.boot == boot)) {
            m_content = std::move(read.content);
            m_end = read.end;
        }
        CAIRN_CHECK(m_fileOps->truncate(m_file, m_end));
    }
    return m_end == 0 ? append(Json{{"digest", digest}, {"boot", boot}}.dump() + "\n")
                      : Result<void>();
}

Result<JournalContent> Journal::read(const std::filesystem::path& path, const std::string& digest) {
    CAIRN_TRY(ReadJournal read, readFile(path));
    if (!read.digest.empty() && read.digest != digest) {
        return otherPlan(path);
    }
    return std::move(read.content);
}

Result<void> Journal::add(const RunRecord& record) {
    return append(lineOf(record));
}

Result<void> Journal::add(const VerifiedFiles& verified) {
    return append(lineOf(verified));
}

Result<void> Journal::clear() {
    const std::string head = Json{{"digest", m_digest}, {"boot", bootId()}}.dump() + "\n";
    CAIRN_CHECK(m_fileOps->truncate(m_file, 0));
    m_end = 0;
    m_content = {};
    return append(head);
}

Result<void> Journal::complete(Durability durability) {
    if (!m_content.complete) {
        CAIRN_CHECK(append(Json{{"complete", true}}.dump() + "\n"));
    }
    return durability == Durability::Synced ? m_fileOps->sync(m_file) : Result<void>();
}

Result<void> Journal::append(std::string_view line) {
    const std::scoped_lock lock(*m_mutex);
    CAIRN_CHECK(m_fileOps->writeAt(m_file, m_end, asBytes(line)));
    m_end += line.size();
    return {};
}

} // namespace cairn
