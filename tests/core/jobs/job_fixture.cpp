// SPDX-License-Identifier: Apache-2.0
#include "tests/core/jobs/job_fixture.h"

#include "core/base/endian.h"
#include "core/formats/format.h"
#include "core/jobs/context/aligned_buffer.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/prepare/written_format.h"
#include "tests/support/safetensors_file.h"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <unistd.h>

namespace cairn::jobtest {
namespace {

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
}

void store(std::vector<std::byte>& bytes, std::size_t offset, std::uint32_t value) {
    std::memcpy(bytes.data() + offset, &value, 4);
}

std::vector<Box> randomCut(const Shape& shape, std::mt19937& random) {
    if (random() % 3 == 0) {
        return {Box::whole(shape)};
    }
    return synthetic::chunks(shape, random() % 2, static_cast<std::int64_t>(1 + random() % 5));
}

Shape randomShape(std::mt19937& random) {
    switch (random() % 6) {
    case 0:
        return {0, 5};
    case 1:
        return {1, static_cast<std::int64_t>(random() % 40)};
    case 2:
        return {static_cast<std::int64_t>(100 + random() % 400),
                static_cast<std::int64_t>(200 + random() % 300)};
    default:
        return {static_cast<std::int64_t>(1 + random() % 60),
                static_cast<std::int64_t>(1 + random() % 60)};
    }
}

/// One output file, and its expected bytes.
class FileBuilder {
public:
    explicit FileBuilder(std::string name) { m_file.name = std::move(name); }

    void addTensor(TensorIndex index, const TensorEntry& entry, std::mt19937& random) {
        std::vector<std::byte> header(10 + random() % 90, std::byte{0x48});
        const std::size_t slot = random() % (header.size() - 4);
        m_file.checksums.push_back(
            {m_bytes.size() + slot, static_cast<std::uint32_t>(m_file.tensors.size())});
        const auto content = synthetic::bytesOf(synthetic::counting(entry.shape));
        m_file.addLiteral(m_bytes.size(), header);
        append(m_bytes, header);
        const std::uint32_t crc = crc32(0, content);
        store(m_bytes, m_file.checksums.back().offset, crc);
        m_crcs.push_back(crc);
        m_file.tensors.push_back({m_bytes.size(), content.size(), index, entry.name,
                                  Box::whole(entry.shape), entry.dtype});
        append(m_bytes, content);
    }

    OutputFile finish(std::vector<std::byte>& bytes) {
        std::vector<std::byte> directory(m_crcs.size() * 9 + 5, std::byte{0x44});
        const std::size_t start = m_bytes.size();
        m_file.addLiteral(start, directory);
        append(m_bytes, directory);
        for (std::size_t i = 0; i < m_crcs.size(); ++i) {
            m_file.checksums.push_back({start + i * 9, static_cast<std::uint32_t>(i)});
            store(m_bytes, start + i * 9, m_crcs[i]);
        }
        m_file.size = m_bytes.size();
        bytes = std::move(m_bytes);
        return std::move(m_file);
    }

private:
    OutputFile m_file;
    std::vector<std::byte> m_bytes;
    std::vector<std::uint32_t> m_crcs;
};

} // namespace

Job randomJob(std::uint32_t seed, std::size_t tensors, std::size_t files,
              const std::filesystem::path& output) {
    std::mt19937 random(seed);
    CheckpointData data;
    for (std::size_t i = 0; i < tensors; ++i) {
        const Shape shape = randomShape(random);
        const auto boxes = randomCut(shape, random);
        data.tensors.push_back(
            synthetic::cutTensor(data, "t" + std::to_string(i), shape, boxes, random() % 9));
    }
    Job job;
    job.plan.job = "consolidate";
    job.plan.format = "test";
    job.plan.output = output;
    job.plan.layout.folder = files > 1;
    job.plan.source = Checkpoint::make(std::move(data));
    job.named = job.plan.source;
    for (std::size_t f = 0; f < files; ++f) {
        FileBuilder builder(files > 1 ? "part" + std::to_string(f) : output.filename().string());
        for (std::size_t i = f; i < tensors; i += files) {
            builder.addTensor(TensorIndex(i), job.plan.source->tensors()[i], random);
        }
        job.expected.emplace_back();
        job.plan.layout.files.push_back(builder.finish(job.expected.back()));
    }
    return job;
}

Job sharedJob(std::uint32_t seed, std::size_t files, const std::filesystem::path& sources,
              const std::filesystem::path& output) {
    std::mt19937 random(seed);
    std::map<std::string, std::vector<std::byte>> contents;
    for (std::size_t f = 0; f < 2; ++f) {
        std::vector<test::SafetensorsTensor> tensors;
        std::string data;
        for (std::size_t i = 0; i < 6; ++i) {
            // Some of many blocks, some smaller than one, the first with an odd number of bytes.
            const std::size_t size =
                i % 2 == 1 ? 1 + random() % 3000 : 8 * (20000 + random() % 9000);
            const std::string name = "t" + std::to_string(f) + "." + std::to_string(i);
            std::vector<std::byte> bytes(size);
            std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
            tensors.push_back(test::byteTensor(name, size));
            data += asText(bytes);
            contents[name] = std::move(bytes);
        }
        std::string header = test::safetensorsHeader(tensors);
        header.append((f == 0 ? 4096 + 8 - (8 + header.size()) % 4096 : 3), ' ');
        const std::string file = test::safetensorsFile(header, data);
        writeFile(sources / ("model-0000" + std::to_string(f + 1) + "-of-00002.safetensors"),
                  asBytes(file));
    }
    JobRequest options;
    options.output = output;
    options.only.kind = Selection::Kind::All;
    options.sharding.axes = {};
    options.maxShardBytes = files > 1 ? 400000 : 0;
    PlanFacts facts;
    facts.sharing = {4096, "a test", {true, true}};
    Job job;
    job.plan = planConsolidate(openCheckpoint(sources).value(),
                               layoutTarget(*findFormat("safetensors")), options, std::move(facts))
                   .value();
    for (const OutputFile& file : job.plan.layout.files) {
        std::vector<std::byte> bytes(file.size);
        for (const LiteralSegment& literal : file.literals) {
            std::ranges::copy(file.bytesOf(literal),
                              bytes.begin() + static_cast<std::ptrdiff_t>(literal.offset));
        }
        for (const TensorSegment& segment : file.tensors) {
            std::ranges::copy(contents.at(std::string(segment.name)),
                              bytes.begin() + static_cast<std::ptrdiff_t>(segment.offset));
        }
        job.expected.push_back(std::move(bytes));
    }
    return job;
}

long CopyingShareFileOps::perform(const FileCall& call) {
    if (call.kind != FileCallKind::Share) {
        return m_inner.perform(call);
    }
    const AlignedBuffer buffer(static_cast<std::size_t>(call.length));
    if (::pread(call.fromFile, buffer.bytes().data(), buffer.bytes().size(),
                static_cast<off_t>(call.fromOffset)) != static_cast<ssize_t>(call.length) ||
        ::pwrite(call.fd, buffer.bytes().data(), buffer.bytes().size(),
                 static_cast<off_t>(call.offset)) != static_cast<ssize_t>(call.length)) {
        return -EIO;
    }
    return 0;
}

void expectOutput(const Job& job) {
    for (std::size_t i = 0; i < job.expected.size(); ++i) {
        const auto& file = job.plan.layout.files[i];
        const auto path = job.plan.layout.folder ? job.plan.output / file.name : job.plan.output;
        EXPECT_TRUE(readFile(path) == job.expected[i]) << path;
    }
}

bool runKilled(const CopyPlan& plan, std::uint64_t at, const EngineOptions& options, bool shares) {
    const auto work = [&](FileOps& fileOps, JobContext& context) {
        return runPlan(plan, fileOps, context, options).has_value();
    };
    return isKilled(at, work, shares);
}

bool isKilled(std::uint64_t at, const std::function<bool(FileOps&, JobContext&)>& work,
              bool shares) {
    const pid_t child = ::fork();
    if (child == 0) {
        RealFileOps real;
        CopyingShareFileOps sharing(real);
        JobContext context;
        FileOps& inner = shares ? static_cast<FileOps&>(sharing) : real;
        HookFileOps killing(inner, at, [] { ::kill(::getpid(), SIGKILL); });
        ::_exit(work(killing, context) ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

} // namespace cairn::jobtest
