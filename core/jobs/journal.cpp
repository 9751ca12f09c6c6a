// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/journal.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/plan/copy_plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fstream>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMaxJournal = std::uint64_t{512} << 20U;
constexpr std::size_t kMaxLine = std::size_t{16} << 20U;

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
            .butFound(std::to_string(source->size()) + " bytes");
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

class Decimal {
public:
    explicit Decimal(std::uint64_t number)
        : m_end(std::to_chars(m_digits.data(), m_digits.data() + m_digits.size(), number).ptr) {}
    Decimal(const Decimal&) = delete;
    Decimal& operator=(const Decimal&) = delete;
    [[nodiscard]] std::string_view text() const { return {m_digits.data(), m_end}; }

private:
    std::array<char, 20> m_digits{};
    const char* m_end;
};

/// Collects many short texts, because hashing few long ones is faster.
class TextHash {
public:
    void add(std::string_view text) {
        m_text += text;
        if (m_text.size() >= kEnough) {
            flush();
        }
    }
    /// Its decimal digits.
    void add(std::uint64_t number) { add(Decimal(number).text()); }
    Sha256Digest finish() {
        flush();
        return m_hash.finish();
    }

private:
    static constexpr std::size_t kEnough = std::size_t{64} << 10U;
    void flush() {
        m_hash.add(asBytes(m_text));
        m_text.clear();
    }
    Sha256 m_hash;
    std::string m_text;
};

void addText(TextHash& hash, std::string_view text) {
    hash.add(std::uint64_t{text.size()});
    hash.add(":");
    hash.add(text);
}

void addNumber(TextHash& hash, std::uint64_t number) {
    addText(hash, Decimal(number).text());
}

void addSegment(TextHash& hash, const CopyPlan& plan, const TensorSegment& segment) {
    addNumber(hash, segment.offset);
    addNumber(hash, segment.length);
    addText(hash, plan.source->tensor(segment.source).name);
    addText(hash, segment.name);
    addText(hash, dtypeName(segment.dtype));
    addText(hash, formatDims(segment.box.origin) + formatDims(segment.box.extent));
}

} // namespace

std::string bootId() {
    std::ifstream in("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(in, id);
    return id;
}

namespace {

void addSource(TextHash& hash, const Checkpoint& checkpoint, FileIndex index) {
    const CheckpointFile& file = checkpoint.files()[index.position()];
    addText(hash, file.path);
    addNumber(hash, file.identity.size);
    addNumber(hash, static_cast<std::uint64_t>(file.identity.mtimeNs));
}

void addTensor(TextHash& hash, const Checkpoint& checkpoint, TensorIndex index) {
    addText(hash, checkpoint.path().string());
    addText(hash, checkpoint.tensor(index).name);
    for (const Piece& piece : checkpoint.tensor(index).pieces) {
        addSource(hash, checkpoint, piece.file);
    }
}

/// Scales and the members of an average with their weights.
void addRecipe(TextHash& hash, const CopyPlan& plan, TensorIndex tensor,
               const ElementRecipe& recipe) {
    addNumber(hash, tensor.position());
    if (recipe.scales) {
        addTensor(hash, *plan.source, *recipe.scales);
        addText(hash, formatDims(recipe.block));
    }
    for (const AverageTerm& term : recipe.terms) {
        addTensor(hash, *term.checkpoint, term.tensor);
        addNumber(hash, std::bit_cast<std::uint64_t>(term.weight));
    }
}

} // namespace

std::string layoutDigest(const CopyPlan& plan) {
    TextHash hash;
    addText(hash, plan.format);
    std::vector<bool> sources(plan.source != nullptr ? plan.source->files().size() : 0, false);
    for (const OutputFile& file : plan.layout.files) {
        addText(hash, file.name);
        addNumber(hash, file.size);
        for (const LiteralSegment& literal : file.literals) {
            addNumber(hash, literal.offset);
            addText(hash, asText(file.bytesOf(literal)));
        }
        for (const TensorSegment& segment : file.tensors) {
            addSegment(hash, plan, segment);
            for (const Piece& piece : plan.source->tensor(segment.source).pieces) {
                sources[piece.file.position()] = true;
            }
        }
        for (const ChecksumSlot& slot : file.checksums) {
            addNumber(hash, slot.offset);
            addNumber(hash, slot.segment);
        }
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (sources[i]) {
            addSource(hash, *plan.source, FileIndex(i));
        }
    }
    for (const auto& [tensor, recipe] : plan.recipes) {
        addRecipe(hash, plan, tensor, recipe);
    }
    for (const SharedRange& range : plan.shared) { // they determine the runs
        addNumber(hash, range.file);
        addNumber(hash, range.offset);
        addNumber(hash, range.length);
    }
    return hexText(hash.finish());
}

Result<Journal> Journal::open(FileOps& fileOps, const FileHandle& folder,
                              const std::filesystem::path& folderPath, const std::string& name,
                              const std::string& digest) {
    auto made = fileOps.createFile(folder, name);
    const bool isNew = made.has_value();
    if (!isNew && made.error().code == ErrorCode::OutputExists) {
        made = fileOps.openFile(folder, name);
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
    return journal;
}

Result<void> Journal::take(const std::filesystem::path& path, bool isNew,
                           const std::string& digest) {
    CAIRN_TRY(const bool mine, m_fileOps->lock(m_file));
    if (!mine) {
        return fail(ErrorCode::JobIsRunning, "Another process is running this job")
            .inFile(path.string());
    }
    const std::string boot = bootId();
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
