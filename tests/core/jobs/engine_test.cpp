// SPDX-License-Identifier: Apache-2.0
#include "core/codec/crc32c/crc32c.h"
#include "core/io/hash.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/read_manifest.h"
#include "tests/core/jobs/job_fixture.h"

#include <sys/stat.h>

#include <fcntl.h>

namespace cairn {
namespace {

using namespace jobtest;

TEST(Engine, WritesEveryByteOfRandomPlans) {
    for (std::uint32_t seed = 0; seed < 24; ++seed) {
        SCOPED_TRACE(seed);
        const TemporaryFolder folder;
        const Job job = randomJob(seed, 1 + seed * 3 % 40, 1 + seed % 3, folder.path() / "out");
        RealFileOps fileOps;
        JobContext context;
        EngineOptions options = smallOptions(seed % 2 == 0);
        options.threads = 1 + seed % 4;
        const auto report = runPlan(job.plan, fileOps, context, options);
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        expectOutput(job);
        EXPECT_TRUE(report->verified);
        EXPECT_EQ(report->bytes, job.plan.outputBytes());
        for (std::size_t i = 0; i < job.expected.size(); ++i) {
            Sha256 hash;
            hash.add(job.expected[i]);
            EXPECT_EQ(report->files[i].sha256, hexText(hash.finish()));
        }
        EXPECT_EQ(context.progress().phase, JobPhase::Done);
        EXPECT_EQ(context.progress().written, context.progress().total);
        EXPECT_EQ(context.progress().verified, context.progress().total);
    }
}

TEST(Engine, HashesEveryTensor) {
    const TemporaryFolder folder;
    const Job job = randomJob(7, 12, 1, folder.path() / "out");
    RealFileOps fileOps;
    JobContext context;
    const auto report = runPlan(job.plan, fileOps, context, smallOptions());
    ASSERT_TRUE(report.has_value());
    ASSERT_EQ(report->written.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i) {
        ContentHash hash(DigestKind::Xxh3); // nobody signs it
        hash.add(synthetic::bytesOf(synthetic::counting(job.plan.source->tensors()[i].shape)));
        EXPECT_EQ(report->written[i].digest, hexText(hash.finish().bytes())) << i;
    }
}

TEST(Engine, LeavesAManifestThatTellsTheFiles) {
    const TemporaryFolder folder;
    const Job job = randomJob(3, 5, 1, folder.path() / "out");
    RealFileOps fileOps;
    JobContext context;
    const auto report = runPlan(job.plan, fileOps, context, smallOptions());
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"out", "out.cairn.json"}));
    const auto manifest = readManifest(report->manifest);
    ASSERT_TRUE(manifest.has_value()) << describe(manifest.error());
    ASSERT_EQ(manifest->files.size(), 1U);
    EXPECT_EQ(manifest->files[0].sha256, report->files[0].sha256);
    ASSERT_EQ(manifest->tensors.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(manifest->tensors[i].digest, report->written[i].digest);
        EXPECT_EQ(manifest->tensors[i].digestKind, DigestKind::Xxh3);
    }
}

TEST(Engine, MakesMissingParents) {
    const TemporaryFolder folder;
    const Job job = randomJob(4, 3, 2, folder.path() / "deploy" / "run" / "out");
    RealFileOps fileOps;
    JobContext context;
    ASSERT_TRUE(runPlan(job.plan, fileOps, context, smallOptions()).has_value());
    expectOutput(job);
}

TEST(Engine, NeverReplacesAnything) {
    for (const bool manifest : {false, true}) {
        const TemporaryFolder folder;
        const Job job = randomJob(5, 3, 1, folder.path() / "out");
        const auto taken = folder.path() / (manifest ? "out.cairn.json" : "out");
        writeFile(taken, std::vector<std::byte>(3, std::byte{7}));
        RealFileOps fileOps;
        JobContext context;
        const auto report = runPlan(job.plan, fileOps, context, smallOptions());
        ASSERT_FALSE(report.has_value());
        EXPECT_EQ(report.error().code, ErrorCode::OutputExists);
        EXPECT_EQ(readFile(taken).size(), 3U);
        EXPECT_EQ(folder.names().size(), 1U);
    }
}

TEST(Engine, RunsNoPlanWithAnError) {
    const TemporaryFolder folder;
    Job job = randomJob(6, 3, 1, folder.path() / "out");
    job.plan.problems.push_back({ErrorCode::CoverageHole, Severity::Error, "A hole", {}, {}});
    RealFileOps fileOps;
    JobContext context;
    EXPECT_EQ(runPlan(job.plan, fileOps, context).error().code, ErrorCode::CoverageHole);
    job.plan.problems.clear();
    job.plan.layout.files[0].tensors[0].offset += 1;
    EXPECT_EQ(runPlan(job.plan, fileOps, context).error().code, ErrorCode::Internal);
    EXPECT_TRUE(folder.names().empty());
}

TEST(Engine, FindsAHoleBeforeItWrites) {
    const TemporaryFolder folder;
    Job job = randomJob(8, 6, 1, folder.path() / "out");
    CheckpointData data = job.plan.source->data();
    for (TensorEntry& tensor : data.tensors) {
        if (!tensor.pieces.empty() && tensor.bytes() > 0) {
            tensor.pieces.clear();
            break;
        }
    }
    job.plan.source = Checkpoint::make(std::move(data));
    RealFileOps fileOps;
    JobContext context;
    EXPECT_EQ(runPlan(job.plan, fileOps, context).error().code, ErrorCode::CoverageHole);
    EXPECT_TRUE(folder.names().empty());
}

/// A source that calls a function at its n-th read.
class TrickSource final : public ByteSource {
public:
    TrickSource(ByteSourcePtr inner,
                std::function<Result<void>(std::span<std::byte>, std::size_t)> trick)
        : m_inner(std::move(inner)), m_trick(std::move(trick)) {}
    std::uint64_t size() const override { return m_inner->size(); }
    const std::string& name() const override { return m_inner->name(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        CAIRN_CHECK(m_inner->readAt(offset, out));
        return m_trick(out, m_reads++);
    }
    Result<void> checkUnchanged() const override {
        return m_changed ? fail(ErrorCode::ChangedOnDisk, "It changed") : Result<void>();
    }
    void change() const { m_changed = true; }

private:
    ByteSourcePtr m_inner;
    std::function<Result<void>(std::span<std::byte>, std::size_t)> m_trick;
    mutable std::atomic<std::size_t> m_reads{0};
    mutable std::atomic<bool> m_changed{false};
};

/// Puts such a source in place of the first tensor's that has bytes.
std::shared_ptr<const TrickSource>
trick(Job& job, std::function<Result<void>(std::span<std::byte>, std::size_t)> what) {
    CheckpointData data = job.plan.source->data();
    std::shared_ptr<const TrickSource> source;
    for (const TensorEntry& tensor : data.tensors) {
        if (tensor.bytes() > 0 && source == nullptr) {
            CheckpointFile& file = data.files[tensor.pieces[0].file.position()];
            source = std::make_shared<const TrickSource>(file.source, std::move(what));
            file.source = source;
        }
    }
    job.plan.source = Checkpoint::make(std::move(data));
    return source;
}

TEST(Engine, SeesASourceThatChangesMeanwhile) {
    const TemporaryFolder folder;
    Job job = randomJob(9, 4, 1, folder.path() / "out");
    std::shared_ptr<const TrickSource> source;
    source = trick(job, [&source](std::span<std::byte>, std::size_t) -> Result<void> {
        source->change();
        return {};
    });
    RealFileOps fileOps;
    JobContext context;
    EXPECT_EQ(runPlan(job.plan, fileOps, context, smallOptions()).error().code,
              ErrorCode::ChangedOnDisk);
    EXPECT_TRUE(folder.names().empty());
}

TEST(Engine, SeesThatItReadSomethingElseThanBefore) {
    const TemporaryFolder folder;
    Job job = randomJob(10, 4, 1, folder.path() / "out");
    trick(job, [](std::span<std::byte> out, std::size_t read) -> Result<void> {
        if (read == 0) { // a bit that flipped while being read
            out.front() ^= std::byte{1};
        }
        return {};
    });
    RealFileOps fileOps;
    JobContext context;
    EXPECT_EQ(runPlan(job.plan, fileOps, context, smallOptions()).error().code,
              ErrorCode::VerifyMismatch);
    EXPECT_TRUE(folder.names().empty());
}

/// Pieces with a checksum, like records of zip archives.
class ChecksumCodec final : public PieceCodec {
public:
    explicit ChecksumCodec(std::uint32_t change) : m_change(change) {}
    std::string_view name() const override { return "checksummed"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry&,
                                const Piece& piece) const override {
        CAIRN_TRY(const auto bytes, readRange(*file, piece.bytes));
        const bool damaged = piece.box.extent.size() == 2 && piece.box.origin[0] > 0;
        return LocatedPiece{
            file, piece.bytes, {}, {}, crc32(0, bytes) ^ (damaged ? m_change : 0), piece.bytes};
    }

private:
    std::uint32_t m_change;
};

/// A plan that copies the int32 tensor "t" of 300 × 200 elements.
CopyPlan copyOfT(CheckpointData data, const std::filesystem::path& output) {
    CopyPlan plan;
    plan.source = Checkpoint::make(std::move(data));
    plan.output = output;
    OutputFile& file = plan.layout.files.emplace_back();
    file.name = "out";
    file.size = 240'000;
    file.tensors.push_back(
        {0, 240'000, TensorIndex(std::size_t{0}), "t", Box::whole({300, 200}), Dtype::Int32});
    return plan;
}

TEST(Engine, HoldsTheSourceToItsOwnChecksums) {
    for (const std::uint32_t change : {0U, 1U}) {
        const TemporaryFolder folder;
        CheckpointData data;
        const CodecId codec = data.addCodec(std::make_shared<ChecksumCodec>(change));
        data.tensors.push_back(
            synthetic::cutTensor(data, "t", {300, 200}, synthetic::chunks({300, 200}, 0, 3)));
        for (Piece& piece : data.tensors[0].pieces) {
            piece.codec = codec;
        }
        RealFileOps fileOps;
        JobContext context;
        const auto report = runPlan(copyOfT(std::move(data), folder.path() / "out"), fileOps,
                                    context, smallOptions());
        ASSERT_EQ(report.has_value(), change == 0);
        if (!report) {
            EXPECT_EQ(report.error().code, ErrorCode::BadChecksum);
            EXPECT_EQ(report.error().where.file, "shard1");
            EXPECT_TRUE(folder.names().empty());
        }
    }
}

TEST(Engine, HoldsRawPiecesToTheChecksumsOfTheirRecords) {
    enum class Stored {
        Right,
        Wrong,
        NotComputed,
        WithHeader,
        WithWrongHeader,
        OfLess,
        OfALaterPiece,
        OfOtherKind
    };
    for (const Stored stored :
         {Stored::Right, Stored::Wrong, Stored::NotComputed, Stored::WithHeader,
          Stored::WithWrongHeader, Stored::OfLess, Stored::OfALaterPiece, Stored::OfOtherKind}) {
        const TemporaryFolder folder;
        CheckpointData data;
        data.tensors.push_back(
            synthetic::cutTensor(data, "t", {300, 200}, synthetic::chunks({300, 200}, 0, 3)));
        for (std::size_t i = 0; i < 3; ++i) {
            const Piece& piece = data.tensors[0].pieces[i];
            const auto bytes =
                readRange(*data.files[piece.file.position()].source, piece.bytes).value();
            data.checksums.push_back({piece.file, piece.bytes, crc32(0, bytes), "record"});
        }
        StoredChecksum& changed = data.checksums[stored == Stored::OfALaterPiece ? 2 : 0];
        changed.crc32 = stored == Stored::Right         ? changed.crc32
                        : stored == Stored::NotComputed ? 0
                                                        : changed.crc32 ^ 1U;
        const auto coverAlso = [&](std::uint64_t before) {
            changed.bytes = {changed.bytes.offset - before, changed.bytes.length + before};
            changed.crc32 = crc32(
                0, readRange(*data.files[changed.file.position()].source, changed.bytes).value());
        };
        if (stored == Stored::WithHeader) {
            coverAlso(3);
        }
        if (stored == Stored::WithWrongHeader) {
            coverAlso(3);
            changed.crc32 ^= 1U;
        }
        if (stored == Stored::OfLess) { // of a part of the piece
            changed.bytes.length -= 4;
        }
        if (stored == Stored::OfOtherKind) {
            changed.crc32 = 0; // of a kind whose 0 is a checksum
            changed.kind = {"CRC-32C", crc32c};
        }
        RealFileOps fileOps;
        JobContext context;
        const auto report = runPlan(copyOfT(std::move(data), folder.path() / "out"), fileOps,
                                    context, smallOptions());
        const bool fails = stored == Stored::Wrong || stored == Stored::OfALaterPiece ||
                           stored == Stored::OfOtherKind || stored == Stored::WithWrongHeader;
        ASSERT_EQ(report.has_value(), !fails) << static_cast<int>(stored);
        if (fails) {
            EXPECT_EQ(report.error().code, ErrorCode::BadChecksum);
            EXPECT_EQ(report.error().where.file,
                      stored == Stored::OfALaterPiece ? "shard2" : "shard0");
            EXPECT_EQ(report.error().where.offset, 3U);
            EXPECT_EQ(report.error().where.tensor, "t");
            EXPECT_TRUE(folder.names().empty());
        }
    }
}

TEST(Engine, PassesOnReadErrorsAndExceptions) {
    for (const bool throws : {false, true}) {
        const TemporaryFolder folder;
        Job job = randomJob(11, 4, 1, folder.path() / "out");
        trick(job, [throws](std::span<std::byte>, std::size_t) -> Result<void> {
            if (throws) {
                throw std::bad_alloc();
            }
            return fail(ErrorCode::Io, "The disk is gone");
        });
        RealFileOps fileOps;
        JobContext context;
        const auto report = runPlan(job.plan, fileOps, context, smallOptions());
        ASSERT_FALSE(report.has_value());
        EXPECT_EQ(report.error().code, throws ? ErrorCode::OutOfMemory : ErrorCode::Io);
        EXPECT_TRUE(folder.names().empty());
    }
}

} // namespace
} // namespace cairn
