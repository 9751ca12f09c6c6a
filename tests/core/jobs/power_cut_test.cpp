// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/engine.h"
#include "tests/core/jobs/job_fixture.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

// Simulates a disk that loses power: a job's writes are replayed up to some call, and of the writes
// not synced by then any part may have reached the disk, in any order. The output's name must then
// be absent or refer to the complete bytes. CAIRN_POWER_CUTS sets the number of cuts (default
// 2,000).

namespace cairn {
namespace {

using namespace jobtest;

struct Call {
    FileCallKind kind{};
    int fd = -1;
    std::string name;
    int toFolder = -1;
    std::string toName;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::vector<std::byte> bytes;
    long result = 0;
};

/// Passes calls on and records them with their bytes.
class LogFileOps final : public FileOps {
public:
    explicit LogFileOps(FileOps& inner) : m_inner(inner) {}
    long perform(const FileCall& call) override {
        const std::scoped_lock lock(m_mutex); // the log must have the order of the calls
        const long result = m_inner.perform(call);
        m_calls.push_back({call.kind,
                           call.fd,
                           call.name,
                           call.toFolder,
                           call.toName,
                           call.offset,
                           call.length,
                           {call.bytes.begin(), call.bytes.end()},
                           result});
        if (call.kind == FileCallKind::Share && result == 0) { // as if it were written
            Call& logged = m_calls.back();
            logged.bytes.resize(static_cast<std::size_t>(call.length));
            logged.result = ::pread(call.fromFile, logged.bytes.data(), logged.bytes.size(),
                                    static_cast<off_t>(call.fromOffset));
        }
        return result;
    }
    [[nodiscard]] const std::vector<Call>& calls() const { return m_calls; }

private:
    FileOps& m_inner;
    std::mutex m_mutex;
    std::vector<Call> m_calls;
};

/// A file or a folder: its guaranteed content on the disk, and the changes that may have reached
/// it.
struct Node {
    std::vector<std::byte> bytes;
    std::vector<const Call*> writes; ///< Write, Truncate, Preallocate since the last sync
    std::map<std::string, std::shared_ptr<Node>> entries;
    struct Change {
        std::string name;
        std::shared_ptr<Node> node; ///< none: removed
    };
    std::vector<Change> changes; ///< of the entries, since the last sync
};
using NodePtr = std::shared_ptr<Node>;

void applyWrite(std::vector<std::byte>& bytes, const Call& call, std::size_t length) {
    if (call.kind == FileCallKind::Truncate) {
        bytes.resize(static_cast<std::size_t>(call.length));
    } else if (call.kind == FileCallKind::Preallocate) {
        bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(call.offset + call.length)));
    } else if (length > 0) {
        const auto end = static_cast<std::size_t>(call.offset) + length;
        bytes.resize(std::max(bytes.size(), end));
        std::memcpy(bytes.data() + call.offset, call.bytes.data(), length);
    }
}

void applyChange(Node& folder, const Node::Change& change) {
    if (change.node) {
        folder.entries[change.name] = change.node;
    } else {
        folder.entries.erase(change.name);
    }
}

class Disk {
public:
    void replay(const Call& call) {
        if (call.result < 0) {
            return;
        }
        switch (call.kind) {
        case FileCallKind::OpenFolder:
            m_open[static_cast<int>(call.result)] = call.fd < 0 ? m_root : inside(call);
            break;
        case FileCallKind::OpenFile:
            m_open[static_cast<int>(call.result)] = inside(call);
            break;
        case FileCallKind::MakeFolder:
            change(call.fd, call.name, std::make_shared<Node>());
            break;
        case FileCallKind::CreateFile:
            m_open[static_cast<int>(call.result)] = std::make_shared<Node>();
            change(call.fd, call.name, m_open[static_cast<int>(call.result)]);
            break;
        case FileCallKind::Write:
        case FileCallKind::Share:
        case FileCallKind::Truncate:
        case FileCallKind::Preallocate:
            m_open.at(call.fd)->writes.push_back(&call);
            break;
        case FileCallKind::Sync:
            settle(*m_open.at(call.fd));
            break;
        case FileCallKind::SyncFolder:
            settle(*m_open.at(call.fd));
            break;
        case FileCallKind::Rename: {
            const NodePtr node = inside(call);
            change(call.toFolder, call.toName, node);
            change(call.fd, call.name, nullptr);
            break;
        }
        case FileCallKind::RemoveFile:
        case FileCallKind::RemoveFolder:
            change(call.fd, call.name, nullptr);
            break;
        default:
            break;
        }
    }

    /// The power fails: some of the unsynced changes have reached the disk.
    void cut(std::mt19937& random) { cut(*m_root, random); }

    [[nodiscard]] const Node& root() const { return *m_root; }

private:
    /// The content under a name as the running system sees it: with all changes.
    NodePtr inside(const Call& call) {
        Node now = *m_open.at(call.fd);
        for (const Node::Change& each : now.changes) {
            applyChange(now, each);
        }
        return now.entries.at(call.name);
    }
    void change(int folder, const std::string& name, NodePtr node) {
        m_open.at(folder)->changes.push_back({name, std::move(node)});
    }
    static void settle(Node& node) {
        for (const Call* write : node.writes) {
            applyWrite(node.bytes, *write, static_cast<std::size_t>(write->result));
        }
        for (const Node::Change& each : node.changes) {
            applyChange(node, each);
        }
        node.writes.clear();
        node.changes.clear();
    }
    static void cut(Node& node, std::mt19937& random) {
        for (const Call* write : node.writes) {
            const auto length = static_cast<std::size_t>(write->result);
            if (random() % 2 == 0) {
                applyWrite(node.bytes, *write,
                           random() % 4 == 0 ? random() % (length + 1) : length);
            }
        }
        for (const Node::Change& each : node.changes) {
            if (random() % 2 == 0) {
                applyChange(node, each);
            }
        }
        node.writes.clear();
        node.changes.clear();
        for (auto& [name, child] : node.entries) {
            cut(*child, random);
        }
    }

    NodePtr m_root = std::make_shared<Node>();
    std::map<int, NodePtr> m_open;
};

/// The state of the output on a disk: absent, complete, or incomplete.
std::optional<bool> wholeOn(const Node& root, const Job& job) {
    const auto found = root.entries.find(job.plan.output.filename().string());
    if (found == root.entries.end()) {
        return std::nullopt;
    }
    const auto same = [](const Node& file, const std::vector<std::byte>& wanted) {
        return file.bytes == wanted;
    };
    if (!job.plan.layout.folder) {
        return same(*found->second, job.expected[0]);
    }
    for (std::size_t i = 0; i < job.expected.size(); ++i) {
        const auto file = found->second->entries.find(job.plan.layout.files[i].name);
        if (file == found->second->entries.end() || !same(*file->second, job.expected[i])) {
            return false;
        }
    }
    return true;
}

std::vector<Call> logOf(const Job& job) {
    RealFileOps real;
    CopyingShareFileOps sharing(real);
    LogFileOps log(sharing);
    JobContext context;
    EngineOptions options = smallOptions();
    options.runBytes = std::uint64_t{32} << 10U;
    const auto report = runPlan(job.plan, log, context, options);
    EXPECT_TRUE(report.has_value()) << describe(report.error());
    return log.calls();
}

TEST(PowerCut, TheNameIsAbsentOrStandsForAllBytes) {
    const char* wanted = std::getenv("CAIRN_POWER_CUTS");
    const std::size_t cuts = wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : 2000;
    std::size_t absent = 0;
    std::size_t whole = 0;
    std::mt19937 random(41);
    for (const std::size_t kind : {1U, 2U, 3U, 4U}) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const TemporaryFolder sources(TemporaryFolder::Where::Memory);
        const std::size_t files = kind == 4 ? 1 : kind; // the fourth kind shares blocks
        const Job job = kind == 4 ? sharedJob(54, files, sources.path(), folder.path() / "out")
                                  : randomJob(static_cast<std::uint32_t>(50 + kind), 7, files,
                                              folder.path() / "out");
        const std::vector<Call> calls = logOf(job);
        for (std::size_t i = 0; i < cuts / 4; ++i) {
            // Half of the cuts are around the moment when the output gets its name.
            const std::size_t last = std::min<std::size_t>(calls.size(), 12);
            const std::size_t at = random() % 2 == 0 ? random() % (calls.size() + 1)
                                                     : calls.size() - random() % (last + 1);
            Disk disk;
            for (const Call& call : std::span(calls).first(at)) {
                disk.replay(call);
            }
            disk.cut(random);
            const auto state = wholeOn(disk.root(), job);
            ASSERT_TRUE(state.value_or(true))
                << files << " files, cut after call " << at << " of " << calls.size();
            (state ? whole : absent) += 1;
        }
    }
    EXPECT_GT(absent, cuts / 8);
    EXPECT_GT(whole, cuts / 8);
}

/// Verifies the simulation: without syncs, names refer to missing bytes.
TEST(PowerCut, AJobThatDoesNotSyncIsFoundOut) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = randomJob(61, 7, 2, folder.path() / "out");
    const std::vector<Call> calls = logOf(job);
    std::mt19937 random(43);
    std::size_t torn = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        Disk disk;
        for (const Call& call : calls) {
            if (call.kind != FileCallKind::Sync) {
                disk.replay(call);
            }
        }
        disk.cut(random);
        torn += wholeOn(disk.root(), job).value_or(true) ? 0U : 1U;
    }
    EXPECT_GT(torn, 20U);
}

} // namespace
} // namespace cairn
