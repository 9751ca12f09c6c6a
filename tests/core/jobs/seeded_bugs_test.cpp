// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/jobs/context/aligned_buffer.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/record/layout_digest.h"
#include "core/model/element.h"
#include "tests/core/jobs/job_fixture.h"
#include "tests/core/jobs/seeded_reads.h"

#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstring>
#include <mutex>
#include <unistd.h>

/// What a job does about errors of its own: each test puts one bug into the writer, the kernels,
/// the journal or the verification, and the job must not publish anything. A bug that never came
/// into effect fails its test.
namespace cairn {
namespace {

using namespace jobtest;

constexpr std::size_t kElement = 4;

EngineOptions seededOptions() {
    EngineOptions options = smallOptions();
    options.threads = 1;
    options.runBytes = std::uint64_t{96} << 10U;
    return options;
}

Job seededJob(const TemporaryFolder& folder) {
    return randomJob(21, 12, 1, folder.path() / "out");
}

bool isData(const JobContext& context, int fd) {
    return context.progress().phase == JobPhase::Writing &&
           pathOf(fd).find(".journal") == std::string::npos;
}

/// A write of the output's data, about to happen.
struct DataWrite {
    FileOps& ops;
    FileCall call;
    std::vector<std::byte> bytes;       ///< a copy, aligned as O_DIRECT needs it when it is sent
    const std::vector<std::byte>& last; ///< bytes of the write before
    std::uint64_t lastOffset = 0;
    std::uint64_t fileSize = 0;
    std::size_t number = 0; ///< of the writes of at least two blocks, from 0

    [[nodiscard]] bool large() const { return bytes.size() >= 2 * kBlock; }
    [[nodiscard]] bool ends() const { return call.offset + bytes.size() >= fileSize; }
    long send(std::uint64_t offset) {
        const AlignedBuffer buffer(bytes.size());
        std::ranges::copy(bytes, buffer.bytes().begin());
        FileCall sent = call;
        sent.offset = offset;
        sent.bytes = buffer.bytes().first(bytes.size());
        sent.length = bytes.size();
        return ops.perform(sent);
    }
};

/// Does the write with the bug, or returns nothing if this is not the place for it.
using WriteBug = std::function<std::optional<long>(DataWrite&)>;

class BuggyWrites final : public FileOps {
public:
    BuggyWrites(FileOps& inner, const JobContext& context, std::uint64_t fileSize, WriteBug bug,
                bool once = true)
        : m_inner(inner), m_context(context), m_fileSize(fileSize), m_bug(std::move(bug)),
          m_once(once) {}

    long perform(const FileCall& call) override {
        if (call.kind != FileCallKind::Write || !isData(m_context, call.fd)) {
            return m_inner.perform(call);
        }
        DataWrite write{m_inner, call,         {call.bytes.begin(), call.bytes.end()},
                        m_last,  m_lastOffset, m_fileSize,
                        m_number};
        const auto done = m_once && m_met > 0 ? std::nullopt : m_bug(write);
        m_met += done ? 1 : 0;
        m_number += call.bytes.size() >= 2 * kBlock ? 1 : 0;
        m_last.assign(call.bytes.begin(), call.bytes.end());
        m_lastOffset = call.offset;
        return done ? *done : m_inner.perform(call);
    }
    [[nodiscard]] std::size_t met() const { return m_met; }

private:
    FileOps& m_inner;
    const JobContext& m_context;
    std::uint64_t m_fileSize;
    WriteBug m_bug;
    bool m_once;
    std::vector<std::byte> m_last;
    std::uint64_t m_lastOffset = 0;
    std::size_t m_number = 0;
    std::size_t m_met = 0;
};

/// The job fails, its output does not exist, and nothing is left of it.
void expectRefused(const Result<JobReport>& report, const TemporaryFolder& folder,
                   const std::filesystem::path& output) {
    EXPECT_FALSE(report.has_value()) << "published";
    EXPECT_FALSE(std::filesystem::exists(output));
    EXPECT_TRUE(folder.names().empty()) << folder.names().front();
    if (!report) {
        EXPECT_TRUE(report.error().code == ErrorCode::VerifyMismatch ||
                    report.error().code == ErrorCode::Internal)
            << describe(report.error());
    }
}

long whole(const DataWrite& write) {
    return static_cast<long>(write.bytes.size());
}

struct NamedBug {
    const char* name;
    WriteBug bug;
};

const std::vector<NamedBug>& writeBugs() {
    static const std::vector<NamedBug> kBugs = {
        {"one element further",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.number < 2) {
                 return std::nullopt;
             }
             std::rotate(write.bytes.begin(), write.bytes.end() - kElement, write.bytes.end());
             return write.send(write.call.offset);
         }},
        {"one block further",
         [](DataWrite& write) -> std::optional<long> {
             return write.large() && write.number == 2
                        ? std::optional(write.send(write.call.offset + kBlock))
                        : std::nullopt;
         }},
        {"pieces swapped",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.number < 2) {
                 return std::nullopt;
             }
             const std::size_t half = write.bytes.size() / 2 / kBlock * kBlock;
             std::swap_ranges(write.bytes.begin(),
                              write.bytes.begin() + static_cast<std::ptrdiff_t>(half),
                              write.bytes.begin() + static_cast<std::ptrdiff_t>(half));
             return write.send(write.call.offset);
         }},
        {"last block lost",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.ends() || write.bytes.size() < kBlock / 4) {
                 return std::nullopt;
             }
             const long size = whole(write);
             const std::size_t last = std::min<std::size_t>(write.bytes.size(), kBlock);
             std::fill(write.bytes.end() - static_cast<std::ptrdiff_t>(last), write.bytes.end(),
                       std::byte{0});
             write.send(write.call.offset);
             return size;
         }},
        {"stale buffer",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.last.size() < write.bytes.size()) {
                 return std::nullopt;
             }
             std::copy_n(write.last.begin(), write.bytes.size(), write.bytes.begin());
             return write.send(write.call.offset);
         }},
        {"short write taken as whole",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.number < 1) {
                 return std::nullopt;
             }
             const long size = whole(write);
             write.bytes.resize(write.bytes.size() / 2 / kBlock * kBlock);
             write.send(write.call.offset);
             return size;
         }},
        {"bytes of each element reversed",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large()) {
                 return std::nullopt;
             }
             for (std::size_t i = 0; i + kElement <= write.bytes.size(); i += kElement) {
                 std::reverse(write.bytes.begin() + static_cast<std::ptrdiff_t>(i),
                              write.bytes.begin() + static_cast<std::ptrdiff_t>(i + kElement));
             }
             return write.send(write.call.offset);
         }},
        {"a block of zeros",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.number < 3) {
                 return std::nullopt;
             }
             std::fill_n(write.bytes.begin() + kBlock, kBlock, std::byte{0});
             return write.send(write.call.offset);
         }},
        {"one bit of the last byte",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.number < 1) {
                 return std::nullopt;
             }
             write.bytes.back() ^= std::byte{1};
             return write.send(write.call.offset);
         }},
        {"one bit of the first byte",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.number < 1) {
                 return std::nullopt;
             }
             write.bytes.front() ^= std::byte{0x80};
             return write.send(write.call.offset);
         }},
        {"a write lost",
         [](DataWrite& write) -> std::optional<long> {
             return write.large() && write.number == 2 ? std::optional(whole(write)) : std::nullopt;
         }},
        {"the same bytes over the neighbour, too",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large() || write.number < 2 || write.last.size() < 2 * kBlock) {
                 return std::nullopt;
             }
             write.send(write.lastOffset);
             return write.send(write.call.offset);
         }},
        {"at the beginning of the file",
         [](DataWrite& write) -> std::optional<long> {
             return write.large() && write.number == 2 ? std::optional(write.send(0))
                                                       : std::nullopt;
         }},
        {"a block between two runs lost",
         [](DataWrite& write) -> std::optional<long> {
             return write.bytes.size() == kBlock ? std::optional(whole(write)) : std::nullopt;
         }},
        {"a late checksum lost",
         [](DataWrite& write) -> std::optional<long> {
             return write.bytes.size() == kElement ? std::optional(whole(write)) : std::nullopt;
         }},
        {"a late checksum reversed",
         [](DataWrite& write) -> std::optional<long> {
             if (write.bytes.size() != kElement) {
                 return std::nullopt;
             }
             std::ranges::reverse(write.bytes);
             return write.send(write.call.offset);
         }},
    };
    return kBugs;
}

TEST(SeededBugs, OfTheWriterPublishNothing) {
    for (const NamedBug& seeded : writeBugs()) {
        SCOPED_TRACE(seeded.name);
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = seededJob(folder);
        RealFileOps real;
        JobContext context;
        BuggyWrites writes(real, context, job.plan.layout.files[0].size, seeded.bug);
        const auto report = runPlan(job.plan, writes, context, seededOptions());
        EXPECT_GT(writes.met(), 0U);
        expectRefused(report, folder, job.plan.output);
    }
}

TEST(SeededBugs, WithoutOneTheJobPublishes) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = seededJob(folder);
    RealFileOps real;
    JobContext context;
    BuggyWrites writes(real, context, job.plan.layout.files[0].size,
                       [](DataWrite&) { return std::optional<long>(); });
    ASSERT_TRUE(runPlan(job.plan, writes, context, seededOptions()).has_value());
    expectOutput(job);
}

/// Two tensors of the same size, of which the writer takes the wrong one.
TEST(SeededBugs, AnotherTensorOfTheSameSizeIsNotPublished) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto sourceOf = [](bool exchanged) {
        CheckpointData data;
        const Shape shape = {50, 60};
        for (const std::size_t i : {0U, 1U}) {
            data.tensors.push_back(synthetic::cutTensor(data, "t" + std::to_string(i), shape,
                                                        std::vector{Box::whole(shape)}, 3 * i));
        }
        std::vector<std::int32_t> other(3000, 7);
        const auto bytes = synthetic::bytesOf(other);
        const FileIndex file = synthetic::addMemoryFile(data, bytes, "other");
        data.tensors[1].pieces = {{Box::whole(shape), file, {0, bytes.size()}, {}, kRawCodec, {}}};
        if (exchanged) {
            std::swap(data.tensors[0].pieces, data.tensors[1].pieces);
        }
        return Checkpoint::make(std::move(data));
    };
    CopyPlan plan;
    plan.job = "consolidate";
    plan.format = "test";
    plan.output = folder.path() / "out";
    plan.source = sourceOf(true);
    plan.expected = sourceOf(false);
    OutputFile file;
    file.name = "out";
    file.addLiteral(0, std::vector<std::byte>(13));
    for (std::size_t i = 0; i < 2; ++i) {
        const TensorEntry& tensor = plan.source->tensors()[i];
        file.tensors.push_back({13 + i * 12000, 12000, TensorIndex(i), tensor.name,
                                Box::whole(tensor.shape), tensor.dtype});
    }
    file.size = 13 + 24000;
    plan.layout.files.push_back(std::move(file));
    RealFileOps real;
    JobContext context;
    expectRefused(runPlan(plan, real, context, seededOptions()), folder, plan.output);
}

/// The processor's kernels, with a bug in what a cast gives.
class BuggyKernels final : public ComputeBackend {
public:
    using Bug = std::function<void(std::span<const std::byte> in, std::span<std::byte> out)>;
    explicit BuggyKernels(Bug bug) : m_bug(std::move(bug)) {}

    [[nodiscard]] std::string_view device() const override { return "cpu"; }
    Result<void> cast(Dtype from, std::span<const std::byte> in, Dtype to,
                      std::span<std::byte> out) override {
        CAIRN_CHECK(m_real->cast(from, in, to, out));
        m_bug(in, out);
        return {};
    }
    Result<void> dequantize(Dtype from, std::span<const std::byte> in, const BlockScales& scales,
                            std::uint64_t first, Dtype to, std::span<std::byte> out) override {
        return m_real->dequantize(from, in, scales, first, to, out);
    }
    Result<void> average(std::span<const AveragePart> parts, Dtype to,
                         std::span<std::byte> out) override {
        return m_real->average(parts, to, out);
    }
    Result<ElementStatistics> statistics(Dtype dtype, std::span<const std::byte> bytes) override {
        return m_real->statistics(dtype, bytes);
    }
    Result<ElementComparison> compare(Dtype leftType, std::span<const std::byte> left,
                                      Dtype rightType, std::span<const std::byte> right,
                                      const Tolerance& tolerance) override {
        return m_real->compare(leftType, left, rightType, right, tolerance);
    }

private:
    ComputeBackendPtr m_real = cpuBackend();
    Bug m_bug;
};

std::uint16_t halfAt(std::span<const std::byte> out, std::size_t i) {
    return loadLittle<std::uint16_t>(out, 2 * i);
}

struct NamedCastBug {
    const char* name;
    BuggyKernels::Bug bug;
};

const std::vector<NamedCastBug>& castBugs() {
    using In = std::span<const std::byte>;
    using Out = std::span<std::byte>;
    static const std::vector<NamedCastBug> kBugs = {
        {"truncates",
         [](In in, Out out) {
             for (std::size_t i = 0; i < out.size() / 2; ++i) {
                 std::memcpy(out.data() + 2 * i, in.data() + 4 * i + 2, 2);
             }
         }},
        {"rounds ties away from zero",
         [](In in, Out out) {
             for (std::size_t i = 0; i < out.size() / 2; ++i) {
                 const auto bits = loadLittle<std::uint32_t>(in, 4 * i);
                 storeLittle(out, 2 * i, static_cast<std::uint16_t>((bits + 0x8000U) >> 16U));
             }
         }},
        {"casts the first half only",
         [](In, Out out) { std::ranges::fill(out.subspan(out.size() / 4 * 2), std::byte{0}); }},
        {"leaves the last element out",
         [](In, Out out) { std::ranges::fill(out.last(2), std::byte{0}); }},
        {"one element late",
         [](In, Out out) { std::rotate(out.begin(), out.end() - 2, out.end()); }},
        {"bytes of each element reversed",
         [](In, Out out) {
             for (std::size_t i = 0; i + 2 <= out.size(); i += 2) {
                 std::swap(out[i], out[i + 1]);
             }
         }},
        {"takes NaN for infinity",
         [](In, Out out) {
             for (std::size_t i = 0; i < out.size() / 2; ++i) {
                 if ((halfAt(out, i) & 0x7FFFU) > 0x7F80U) {
                     storeLittle(out, 2 * i, std::uint16_t{0x7F80});
                 }
             }
         }},
        {"loses the sign of zero",
         [](In, Out out) {
             for (std::size_t i = 0; i < out.size() / 2; ++i) {
                 if (halfAt(out, i) == 0x8000U) {
                     storeLittle(out, 2 * i, std::uint16_t{0});
                 }
             }
         }},
        {"flushes subnormal numbers",
         [](In, Out out) {
             for (std::size_t i = 0; i < out.size() / 2; ++i) {
                 if ((halfAt(out, i) & 0x7F80U) == 0) {
                     storeLittle(out, 2 * i, std::uint16_t(halfAt(out, i) & 0x8000U));
                 }
             }
         }},
    };
    return kBugs;
}

/// Noise, and one of each kind of value that a wrong cast may miss.
std::vector<float> trickyValues(std::size_t count) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    constexpr std::array<std::uint32_t, 6> kBits = {0x80000000U, 0x7FC00000U, 0x00418000U,
                                                    0x3F808000U, 0x3F818000U, 0xFF800000U};
    for (std::size_t i = 0; i < kBits.size(); ++i) {
        values[count / 2 + i] = std::bit_cast<float>(kBits[i]);
    }
    return values;
}

TEST(SeededBugs, OfACastPublishNothing) {
    for (const NamedCastBug& seeded : castBugs()) {
        SCOPED_TRACE(seeded.name);
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Shape shape = {151, 301};
        const auto bytes = synthetic::bytesOf(trickyValues(151 * 301));
        CheckpointData data;
        TensorEntry tensor;
        tensor.name = "w";
        tensor.dtype = Dtype::Float32;
        tensor.shape = shape;
        tensor.role = Role::Weight;
        const FileIndex from = synthetic::addMemoryFile(data, bytes, "w");
        tensor.pieces.push_back({Box::whole(shape), from, {0, bytes.size()}, {}, kRawCodec, {}});
        data.tensors.push_back(std::move(tensor));
        CopyPlan plan;
        plan.job = "cast";
        plan.format = "test";
        plan.output = folder.path() / "out";
        plan.source = Checkpoint::make(std::move(data));
        OutputFile file;
        file.name = "out";
        file.addLiteral(0, std::vector<std::byte>(13));
        file.size = 13 + bytes.size() / 2;
        file.tensors.push_back(
            {13, bytes.size() / 2, TensorIndex(0), "w", Box::whole(shape), Dtype::Bfloat16});
        plan.layout.files.push_back(std::move(file));
        EngineOptions options = seededOptions();
        std::size_t changed = 0;
        options.backend = std::make_shared<BuggyKernels>(
            [&](std::span<const std::byte> in, std::span<std::byte> out) {
                const std::vector<std::byte> right(out.begin(), out.end());
                seeded.bug(in, out);
                changed += std::ranges::equal(right, out) ? 0 : 1;
            });
        RealFileOps real;
        JobContext context;
        const auto report = runPlan(plan, real, context, options);
        EXPECT_GT(changed, 0U);
        expectRefused(report, folder, plan.output);
    }
}

/// Runs the job in a process that is killed when it begins to make the data durable: everything is
/// in its journal.
void runUntilSync(const Job& job, const EngineOptions& options, const WriteBug& bug) {
    class Killing final : public FileOps {
    public:
        explicit Killing(FileOps& inner) : m_inner(inner) {}
        long perform(const FileCall& call) override {
            if (call.kind == FileCallKind::Sync) {
                ::kill(::getpid(), SIGKILL);
            }
            return m_inner.perform(call);
        }

    private:
        FileOps& m_inner;
    };
    const pid_t child = ::fork();
    if (child == 0) {
        RealFileOps real;
        Killing killing(real);
        JobContext context;
        BuggyWrites writes(killing, context, job.plan.layout.files[0].size, bug);
        (void)runPlan(job.plan, writes, context, options);
        ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
}

std::filesystem::path journalOf(const Job& job, JobPart part = {}) {
    return partJournal(stagedPath(job.plan.output, layoutDigest(job.plan)), part);
}

std::optional<long> noBug(DataWrite&) {
    return std::nullopt;
}

TEST(SeededBugs, OfTheJournalPublishNothing) {
    struct Bug {
        const char* name;
        WriteBug writes;                                 ///< of the killed process
        std::function<std::string(std::string)> journal; ///< what it wrote, and should not have
    };
    /// The text with one digit changed after `key`.
    const auto changed = [](std::string text, const std::string& key, std::size_t after) {
        const std::size_t at = text.find(key);
        EXPECT_NE(at, std::string::npos) << key;
        if (at != std::string::npos) {
            char& digit = text[at + key.size() + after];
            digit = digit == '1' ? '2' : '1';
        }
        return text;
    };
    const auto same = [](std::string text) { return text; };
    const std::vector<Bug> bugs = {
        {"a write recorded that did not happen",
         [](DataWrite& write) -> std::optional<long> {
             return write.large() && write.number == 1 ? std::optional(whole(write)) : std::nullopt;
         },
         same},
        {"a run recorded before all of it was written",
         [](DataWrite& write) -> std::optional<long> {
             if (!write.large()) {
                 return std::nullopt;
             }
             const long size = whole(write);
             write.bytes.resize(kBlock);
             write.send(write.call.offset);
             return size;
         },
         same},
        {"other bytes of a block between two runs", noBug,
         [&](std::string text) { // [file, block, at, "hex"]
             const std::size_t hex = text.find('"', text.find("\"fragments\":[[") + 14);
             EXPECT_NE(hex, std::string::npos);
             text[hex + 1] = text[hex + 1] == '1' ? '2' : '1';
             return text;
         }},
        {"another checksum", noBug,
         [&](std::string text) {
             const std::size_t at = text.find("\"crc32\":[[");
             const std::size_t comma = text.find(',', at);
             EXPECT_NE(at, std::string::npos);
             return changed(std::move(text), "\"crc32\":[[", comma - at - 10 + 1);
         }},
        {"all runs recorded before they were written", noBug,
         [](const std::string& text) { return text; }},
    };
    for (const Bug& seeded : bugs) {
        SCOPED_TRACE(seeded.name);
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = seededJob(folder);
        runUntilSync(job, seededOptions(), seeded.writes);
        const auto path = journalOf(job);
        const std::string text = test::readText(path);
        if (&seeded == &bugs.back()) {
            const auto staged = stagedPath(job.plan.output, layoutDigest(job.plan));
            const auto size = std::filesystem::file_size(staged);
            std::filesystem::resize_file(staged, 0);
            std::filesystem::resize_file(staged, size);
        }
        writeFile(path, asBytes(seeded.journal(text)));
        RealFileOps real;
        JobContext context;
        const auto report = runPlan(job.plan, real, context, seededOptions());
        expectRefused(report, folder, job.plan.output);
    }
}

TEST(SeededBugs, APartThatSaysTooEarlyThatItIsDonePublishesNothing) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = seededJob(folder);
    EngineOptions options = seededOptions();
    options.part = {1, 2};
    ASSERT_TRUE(runKilled(job.plan, 14, options));
    const auto path = journalOf(job, options.part);
    std::string text = test::readText(path);
    ASSERT_EQ(text.find("complete"), std::string::npos);
    writeFile(path, asBytes(text + "{\"complete\":true}\n"));
    RealFileOps real;
    JobContext context;
    options.part = {2, 2};
    const auto report = runPlan(job.plan, real, context, options);
    EXPECT_FALSE(report.has_value());
    EXPECT_FALSE(std::filesystem::exists(job.plan.output));
}

/// Verification that reads or compares something else than it should, of an output that is right
/// or, `wrong`, has another last byte in one write.
TEST(SeededBugs, OfTheVerificationPublishNothing) {
    struct Bug {
        const char* name;
        SeededReads seeded;
        bool wrong;
    };
    const std::vector<Bug> bugs = {
        {"reads a block further", SeededReads::BlockFurther, false},
        {"reads the beginning each time", SeededReads::Beginning, false},
        {"takes a short read for a whole one", SeededReads::Short, false},
        {"reads nothing into its buffer", SeededReads::Nothing, false},
        {"finds everything equal", SeededReads::EverythingEqual, true},
        {"compares the first half only", SeededReads::FirstHalfEqual, true},
        {"compares all but the last byte", SeededReads::LastByteEqual, true},
        {"finds everything equal in a right output", SeededReads::EverythingEqual, false},
    };
    for (const Bug& bug : bugs) {
        SCOPED_TRACE(bug.name);
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = seededJob(folder);
        RealFileOps real;
        JobContext context;
        BuggyWrites writes(real, context, job.plan.layout.files[0].size,
                           [&](DataWrite& write) -> std::optional<long> {
                               if (!bug.wrong || !write.large() || write.number < 1) {
                                   return std::nullopt;
                               }
                               write.bytes.back() ^= std::byte{1};
                               return write.send(write.call.offset);
                           });
        const SeededReading reading(bug.seeded);
        const auto report = runPlan(job.plan, writes, context, seededOptions());
        EXPECT_GT(SeededReading::met(), 0U);
        expectRefused(report, folder, job.plan.output);
    }
}

} // namespace
} // namespace cairn
