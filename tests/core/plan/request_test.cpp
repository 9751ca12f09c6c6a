// SPDX-License-Identifier: Apache-2.0
#include "core/plan/request_fields.h"
#include "core/plan/request_words.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace cairn {
namespace {

/// A value that each field accepts, as get() gives it back.
std::string valueFor(const RequestField& field) {
    static const std::vector<std::pair<std::string_view, std::string>> kValues = {
        {"output", "/out"},
        {"to", "dcp"},
        {"only", "all"},
        {"tensor", "*.weight"},
        {"dtype", "bf16"},
        {"keep-fp32", "*norm*;*bias"},
        {"strip", "optimizer,rng"},
        {"require", "loadable"},
        {"rename", "a=b;strip-prefixes"},
        {"adapter", "/a=0.5\n/b=2"},
        {"names", "hf"},
        {"for", "fsdp2"},
        {"like", "/base"},
        {"family", "qwen3"},
        {"weights", "0.5,2"},
        {"ranks", "8"},
        {"grid", "4x2"},
        {"dim", "1"},
        {"max-shard-size", "5GB"},
        {"device", "cpu"},
        {"level", "9"},
        {"delta", "/earlier"},
        {"sign", "/key.pem"},
        {"sign-cert", "/cert.pem"}};
    for (const auto& [name, value] : kValues) {
        if (name == field.name) {
            return value;
        }
    }
    return field.isSwitch() ? "true" : "";
}

TEST(RequestFields, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const RequestField& field : requestFields()) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_TRUE(field.letter == 0 || letters.insert(field.letter).second) << field.name;
        EXPECT_FALSE(field.help.empty()) << field.name;
        EXPECT_EQ(field.placeholder.empty(), field.isSwitch()) << field.name;
    }
    EXPECT_EQ(findRequestField("nothing"), nullptr);
}

TEST(RequestFields, GiveBackWhatWasSet) {
    for (const RequestField& field : requestFields()) {
        JobRequest request;
        EXPECT_EQ(field.get(request), "") << field.name; // the default
        const std::string value = valueFor(field);
        ASSERT_FALSE(value.empty()) << field.name << ": the test has no value for it";
        if (field.name == "dim") {
            ASSERT_TRUE(findRequestField("ranks")->set(request, "4"));
        }
        ASSERT_TRUE(field.set(request, value)) << field.name;
        EXPECT_EQ(field.get(request), value) << field.name;
        EXPECT_NE(request, JobRequest()) << field.name;
    }
}

TEST(RequestFields, AreReadFromTheWordsOfEachKind) {
    for (std::size_t i = 0; i < kJobKinds; ++i) {
        JobRequest request;
        request.kind = static_cast<JobKind>(i);
        EXPECT_EQ(jobKindOf(jobKindName(request.kind)), request.kind);
        request.sources = {"/runs/step-1"};
        request.only.subtree = request.kind == JobKind::Pack ? "" : "model";
        for (const RequestField& field : requestFields()) {
            if (field.kinds.contains(request.kind) && field.name != "grid") {
                ASSERT_TRUE(setField(request, field.name, valueFor(field))) << field.name;
            }
        }
        const auto again = requestOfWords(requestWords(request));
        ASSERT_TRUE(again) << describe(again.error());
        EXPECT_EQ(*again, request) << jobKindName(request.kind);
    }
}

TEST(RequestFields, DescribeAGridTogether) {
    JobRequest request;
    request.kind = JobKind::Reshard;
    ASSERT_TRUE(setField(request, "grid", "4x2"));
    ASSERT_TRUE(setField(request, "dim", "0,-1"));
    EXPECT_EQ(request.sharding.axes, (std::vector<ShardAxis>{{4, 0}, {2, -1}}));
    EXPECT_EQ(findRequestField("ranks")->get(request), "");
    const auto words =
        std::vector<std::string>{"reshard", "/a", "--dim=0,-1", "--grid=4x2", "-o", "/b"};
    const auto read = requestOfWords(words); // in the order of older records
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->sharding, request.sharding);
    EXPECT_FALSE(
        requestOfWords(std::vector<std::string>{"reshard", "/a", "--ranks=3", "--grid=4x2"}));
    EXPECT_FALSE(requestOfWords(std::vector<std::string>{"reshard", "/a", "--dim=1"}));
}

TEST(RequestFields, RefuseWhatAJobDoesNotHave) {
    JobRequest request;
    EXPECT_FALSE(setField(request, "ranks", "8"));
    EXPECT_FALSE(setField(request, "nothing", "8"));
    EXPECT_FALSE(setField(request, "max-shard-size", "-1"));
    EXPECT_FALSE(setField(request, "require", "miracles"));
    EXPECT_FALSE(setField(request, "strip", "miracles"));
    EXPECT_FALSE(setField(request, "rename", "=x"));
    for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                  {"verify", "/a"},
                                                  {"consolidate"},
                                                  {"consolidate", "/a", "/b"},
                                                  {"consolidate", "/a", "--nothing"},
                                                  {"consolidate", "/a", "-x"},
                                                  {"consolidate", "/a", "--output"},
                                                  {"average", "/a#x", "/b#y"}}) {
        EXPECT_FALSE(requestOfWords(words)) << (words.empty() ? "" : words.back());
    }
}

TEST(RequestFields, AreRecordedAndReadAgain) {
    JobRequest request;
    request.kind = JobKind::Average;
    request.to = "safetensors";
    request.only.kind = Selection::Kind::Weights;
    request.only.subtree = "model";
    request.keepFp32 = {"*norm*"};
    request.force = request.castAll = true;
    request.names = "hf";
    request.like = "/base";
    request.sharding.perLayer = true;
    request.maxShardBytes = 5; // does not matter for the tensors
    JobRequest again;
    again.kind = request.kind;
    for (const auto& [name, value] : recordedOptions(request)) {
        EXPECT_TRUE(setRecorded(again, name, value)) << name;
    }
    request.like = {}; // published without the place
    request.sharding = {};
    request.maxShardBytes = 0;
    EXPECT_EQ(again, request);
    EXPECT_FALSE(setRecorded(again, "weights", "1,2"));
    EXPECT_FALSE(setRecorded(again, "nothing", "1"));
    EXPECT_FALSE(setRecorded(again, "strip", "miracles"));
}

TEST(Requests, AreTheSameEverywhereWithAbsolutePaths) {
    JobRequest request;
    request.sources = {"run/step-1/", "host:/data/step-2"};
    request.output = "deploy/";
    const JobRequest absolute = absoluteRequest(request);
    EXPECT_EQ(absolute.sources[0].path(), std::filesystem::current_path() / "run/step-1/");
    EXPECT_EQ(absolute.sources[1], request.sources[1]); // elsewhere
    EXPECT_EQ(absolute.output.path(), std::filesystem::current_path() / "deploy/");
    EXPECT_TRUE(absolute.like.empty());
    EXPECT_EQ(absoluteRequest(absolute), absolute);
}

TEST(Requests, ReadAnAdaptersScale) {
    const test::TemporaryFolder folder;
    const std::string named = (folder.path() / "r=8").string();
    std::filesystem::create_directory(named);
    EXPECT_EQ(adapterOf(named), (RequestAdapter{named, 1}));
    EXPECT_EQ(adapterOf(named + "=0.5"), (RequestAdapter{named, 0.5}));
    EXPECT_EQ(adapterOf("/a=-1e-2"), (RequestAdapter{"/a", -0.01}));
    EXPECT_EQ(adapterOf("/a=inf"), (RequestAdapter{"/a=inf", 1}));
    EXPECT_EQ(adapterOf("/a=b"), (RequestAdapter{"/a=b", 1}));
}

TEST(RequestWords, RepeatTheOptionForEachOfSeveralValues) {
    JobRequest request;
    request.sources = {"/base"};
    request.adapters = {{"/a", 0.5}, {"/b=c", 1}};
    const std::vector<std::string> words = requestWords(request);
    EXPECT_EQ(std::ranges::count(words, "--adapter=/a=0.5"), 1);
    EXPECT_EQ(std::ranges::count(words, "--adapter=/b=c=1"), 1);
    const auto read = requestOfWords(words);
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->adapters, request.adapters);
}

} // namespace
} // namespace cairn
