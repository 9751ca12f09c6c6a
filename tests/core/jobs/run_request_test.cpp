// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/jobs/request/run_request.h"
#include "core/plan/request_fields.h"
#include "core/plan/request_words.h"
#include "tests/core/jobs/job_fixture.h"
#include "tests/support/safetensors_file.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using namespace jobtest;

/// A checkpoint of two matrices, and requests whose output lies beside it.
class Requests : public ::testing::Test {
protected:
    Requests() {
        m_folder.write("model.safetensors",
                       test::safetensorsFile(
                           R"({"a.weight":{"dtype":"F32","shape":[4,2],"data_offsets":[0,32]},)"
                           R"("b.weight":{"dtype":"F32","shape":[2],"data_offsets":[32,40]}})",
                           std::size_t{40}));
    }

    [[nodiscard]] std::filesystem::path at(const std::string& name) const {
        return m_folder.path() / name;
    }
    [[nodiscard]] JobRequest request(JobKind kind, const std::string& output) const {
        JobRequest request;
        request.kind = kind;
        request.sources = {m_source};
        request.output = at(output);
        return request;
    }
    [[nodiscard]] RunOptions options(const std::string& digest) const {
        RunOptions options;
        options.digest = digest;
        options.registry = JobRegistry(at("state"));
        return options;
    }
    Result<FinishedJob> run(const JobRequest& request, const std::string& digest = {}) {
        JobContext context;
        return runRequest(request, options(digest), m_fileOps, context);
    }
    [[nodiscard]] bool isKilledAt(std::uint64_t call, const JobRequest& request,
                                  const std::string& digest) const {
        return isKilled(call, [&](FileOps& fileOps, JobContext& context) {
            return runRequest(request, options(digest), fileOps, context).has_value();
        });
    }
    /// The names that begin with the output's, without those of other tests; removes them.
    std::vector<std::string> taken(const std::string& output) {
        std::vector<std::string> names;
        for (const std::string& name : m_folder.names()) {
            if (name.find(output) != std::string::npos) {
                names.push_back(name);
                std::filesystem::remove_all(at(name));
            }
        }
        return names;
    }
    static ErrorCode codeOf(const Result<FinishedJob>& outcome) {
        return outcome ? ErrorCode::Internal : outcome.error().code;
    }

    TemporaryFolder m_folder{TemporaryFolder::Where::Memory};
    std::filesystem::path m_source = m_folder.path() / "model.safetensors";
    RealFileOps m_fileOps;
};

TEST_F(Requests, RunThePlanThatWasShown) {
    const JobRequest wanted = request(JobKind::Consolidate, "out.npz");
    JobRequest npz = wanted;
    npz.to = "npz";
    const auto opened = openRequest(npz);
    ASSERT_TRUE(opened) << describe(opened.error());
    const auto planned = planRequest(*opened);
    ASSERT_TRUE(planned) << describe(planned.error());
    EXPECT_EQ(codeOf(run(npz, "another digest")), ErrorCode::ChangedOnDisk);
    const auto outcome = run(npz, planned->digest);
    ASSERT_TRUE(outcome) << describe(outcome.error());
    EXPECT_TRUE(outcome->report.verified);
    ASSERT_TRUE(outcome->plan);
    EXPECT_EQ(outcome->plan->format, "npz");
    const auto again = run(npz, planned->digest); // as after a lost connection
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_TRUE(again->report.doneBefore);
    EXPECT_FALSE(again->plan);
    EXPECT_EQ(codeOf(run(npz)), ErrorCode::OutputExists);
}

TEST_F(Requests, FinishWhatAKillLeftBesideAPublishedOutput) {
    const JobRequest wanted = request(JobKind::Consolidate, "out.safetensors");
    const std::string digest = planRequest(*openRequest(wanted))->digest;
    const std::vector<std::string> complete = {"out.safetensors", "out.safetensors.cairn.json"};
    for (const std::uint64_t parts : {1U, 2U}) {
        std::size_t finished = 0;
        EveryCall calls;
        while (calls.more()) {
            const std::uint64_t call = calls.next();
            JobRequest last = wanted;
            if (parts > 1) {
                last.part = {1, 2};
                ASSERT_TRUE(run(last, digest)) << call;
                last.part = {2, 2};
            }
            calls.met(isKilledAt(call, last, parts > 1 ? digest : ""));
            const bool begun = std::filesystem::exists(at("out.safetensors")) &&
                               !std::filesystem::exists(at("out.safetensors.cairn.json"));
            finished += begun ? 1 : 0;
            last.part.index = 1;
            const auto again = run(last, parts > 1 || call % 2 == 0 ? digest : "");
            ASSERT_TRUE(again || (parts == 1 && call % 2 == 1 && !begun &&
                                  codeOf(again) == ErrorCode::OutputExists))
                << call << describe(again.error());
            last.part.index = parts;
            ASSERT_TRUE(run(last, digest)) << call;
            EXPECT_EQ(taken("out.safetensors"), complete) << call;
        }
        EXPECT_GT(finished, 0U) << parts;
    }
}

/// Does something just before a file is created whose name ends like this.
class BeforeCreation final : public FileOps {
public:
    BeforeCreation(FileOps& inner, std::string ending, std::function<void()> hook)
        : m_inner(inner), m_ending(std::move(ending)), m_hook(std::move(hook)) {}
    long perform(const FileCall& call) override {
        if (call.kind == FileCallKind::CreateFile &&
            std::string_view(call.name).ends_with(m_ending)) {
            std::exchange(m_hook, [] {})();
        }
        return m_inner.perform(call);
    }

private:
    FileOps& m_inner;
    std::string m_ending;
    std::function<void()> m_hook;
};

TEST_F(Requests, LeaveNoLockIfAnotherPartPublishesMeanwhile) {
    JobRequest wanted = request(JobKind::Consolidate, "out.safetensors");
    const std::string digest = planRequest(*openRequest(wanted))->digest;
    wanted.part = {1, 2};
    JobRequest other = wanted;
    other.part.index = 2;
    bool published = false;
    BeforeCreation meanwhile(m_fileOps, std::string(kLockSuffix), [&] {
        const auto outcome = run(other, digest);
        published = outcome && outcome->report.published;
    });
    JobContext context;
    const auto outcome = runRequest(wanted, options(digest), meanwhile, context);
    ASSERT_TRUE(outcome) << describe(outcome.error());
    EXPECT_TRUE(published);
    EXPECT_EQ(taken("out.safetensors"),
              (std::vector<std::string>{"out.safetensors", "out.safetensors.cairn.json"}));
}

TEST_F(Requests, AreTheSameAfterBeingRecorded) {
    JobRequest wanted = request(JobKind::Cast, "out.safetensors");
    wanted.dtype = "bf16";
    wanted.castAll = true;
    const auto first = openRequest(wanted);
    ASSERT_TRUE(first) << describe(first.error());
    const auto recorded = requestOfWords(requestWords(absoluteRequest(wanted)));
    ASSERT_TRUE(recorded) << describe(recorded.error());
    const auto second = openRequest(*recorded);
    ASSERT_TRUE(second) << describe(second.error());
    EXPECT_EQ(planRequest(*first)->digest, planRequest(*second)->digest);
}

TEST_F(Requests, UseTheCheckpointThatIsShown) {
    const auto shown = openCheckpoint(m_source);
    ASSERT_TRUE(shown) << describe(shown.error());
    const auto opened = openRequest(request(JobKind::Consolidate, "o"), {}, *shown);
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ(opened->inputs.source, *shown);
}

TEST_F(Requests, ExportOneTensorAsText) {
    JobRequest wanted = request(JobKind::Export, "b.csv");
    wanted.only = Selection::parse("b.weight");
    const auto outcome = run(wanted);
    ASSERT_TRUE(outcome) << describe(outcome.error());
    EXPECT_FALSE(outcome->plan);
    EXPECT_TRUE(std::filesystem::exists(at("b.csv")));
    wanted.output = at("all.csv");
    wanted.only.glob = "*";
    EXPECT_EQ(codeOf(run(wanted)), ErrorCode::InvalidArgument);
    wanted.only.glob = "nothing";
    EXPECT_EQ(codeOf(run(wanted)), ErrorCode::TensorNotFound);
}

TEST_F(Requests, PackWholeCheckpoints) {
    JobRequest wanted = request(JobKind::Pack, "a.cairnz");
    wanted.only.subtree = "a";
    EXPECT_EQ(codeOf(run(wanted)), ErrorCode::InvalidArgument);
    wanted.only.subtree.clear();
    const auto outcome = run(wanted);
    ASSERT_TRUE(outcome) << describe(outcome.error());
    EXPECT_TRUE(outcome->report.verified);
    JobRequest back = request(JobKind::Unpack, "back.safetensors");
    EXPECT_EQ(codeOf(run(back)), ErrorCode::InvalidArgument); // the source is no archive
    back.sources = {at("a.cairnz")};
    const auto unpacked = run(back);
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    EXPECT_EQ(unpacked->report.tensors, 2U);
}

TEST_F(Requests, AverageWithWeights) {
    JobRequest wanted = request(JobKind::Average, "mean.safetensors");
    EXPECT_EQ(codeOf(run(wanted)), ErrorCode::InvalidArgument); // of one
    wanted.sources.push_back(m_source);
    wanted.weights = {1};
    EXPECT_EQ(codeOf(run(wanted)), ErrorCode::InvalidArgument);
    wanted.weights = {1, 3};
    const auto outcome = run(wanted);
    ASSERT_TRUE(outcome) << describe(outcome.error());
    EXPECT_TRUE(outcome->report.verified);
}

TEST_F(Requests, NameWhatIsMissing) {
    JobRequest nothing = request(JobKind::Consolidate, "o");
    nothing.sources.clear();
    EXPECT_EQ(codeOf(run(nothing)), ErrorCode::InvalidArgument);
    JobRequest lost = request(JobKind::Consolidate, "o");
    lost.sources = {at("lost")};
    EXPECT_EQ(codeOf(run(lost)), ErrorCode::NotFound);
    JobRequest part = request(JobKind::Consolidate, "o");
    part.only.subtree = "c";
    EXPECT_EQ(codeOf(run(part)), ErrorCode::TensorNotFound);
    JobRequest noOutput = request(JobKind::Consolidate, "o");
    noOutput.output = {};
    EXPECT_EQ(codeOf(run(noOutput)), ErrorCode::InvalidArgument);
    JobRequest certified = request(JobKind::Consolidate, "o");
    certified.trust.certificate = at("cert.pem");
    EXPECT_EQ(codeOf(run(certified)), ErrorCode::InvalidArgument);
    for (const JobKind kind :
         {JobKind::Fold, JobKind::Convert, JobKind::Reshard, JobKind::Cast, JobKind::Rename}) {
        EXPECT_EQ(codeOf(run(request(kind, "o"))), ErrorCode::InvalidArgument) << jobKindName(kind);
    }
    EXPECT_FALSE(std::filesystem::exists(at("o")));
}

} // namespace
} // namespace cairn
