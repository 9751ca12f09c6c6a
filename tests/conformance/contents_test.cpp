// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/model/coverage.h"
#include "tests/conformance/samples.h"

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <thread>

// Recognition of formats, and every way in which the program reads elements.

namespace cairn::conformance {
namespace fs = std::filesystem;
namespace {

/// What the registry passes to every probe.
struct Offer {
    explicit Offer(const fs::path& path) {
        candidate.path = path;
        if (fs::is_directory(path)) {
            auto folder = Folder::open(path);
            auto listed =
                folder ? (*folder)->list() : Result<std::vector<FolderEntry>>(folder.error());
            EXPECT_TRUE(listed);
            entries = listed ? *listed : std::vector<FolderEntry>{};
            if (folder) {
                candidate = candidateOf(*folder, entries);
            }
        } else {
            text = readText(path);
            const auto bytes = asBytes(std::string_view(text));
            candidate.size = bytes.size();
            candidate.head = bytes.first(std::min<std::size_t>(bytes.size(), 4096));
            candidate.tail = bytes.last(std::min<std::size_t>(bytes.size(), 65536));
        }
    }
    std::string text;
    std::vector<FolderEntry> entries;
    Candidate candidate;
};

TEST_P(Conformance, OnlyItsOwnFormatIsSureOfIt) {
    const Offer offer(GetParam().path);
    bool passed = false;
    for (const FormatInfo* format : builtinFormats()) { // in probe order: the first match is taken
        const Match match = format->probe(offer.candidate);
        if (format->id == GetParam().format) {
            EXPECT_NE(match, Match::No) << format->id;
            passed = match == Match::Yes;
        } else if (!passed || !offer.candidate.isFolder) {
            // A folder that consists of another format's files may match that format as well, but
            // only later in the probe order.
            EXPECT_NE(match, Match::Yes) << format->id;
        }
    }
    const auto chosen = detectFormat(GetParam().path);
    ASSERT_TRUE(chosen) << describe(chosen.error());
    EXPECT_EQ((*chosen)->id, GetParam().format);
}

TEST_P(Conformance, OpensAsWholeWithoutComplaint) {
    const auto checkpoint = open();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->format(), GetParam().format);
    if (!GetParam().whole) {
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
        return;
    }
    EXPECT_NE(checkpoint->completeness(), Completeness::Incomplete) << noticesText(*checkpoint);
    for (const TensorEntry& tensor : checkpoint->tensors()) {
        EXPECT_TRUE(coverage(tensor).complete()) << tensor.name;
    }
    for (const Notice& notice : checkpoint->notices()) {
        EXPECT_NE(notice.severity, Severity::Error) << describe(notice.error);
    }
    EXPECT_TRUE(checkpoint->values());
}

TEST_P(Conformance, FilesAreNamedAsTheyLieInTheCheckpoint) {
    const auto checkpoint = open();
    ASSERT_TRUE(checkpoint);
    namespace fs = std::filesystem;
    const fs::path& path = GetParam().path;
    const fs::path top = fs::is_directory(path) ? path : path.parent_path();
    for (const CheckpointFile& file : checkpoint->files()) {
        const auto& opened = file.openAs.empty() ? file.path : file.openAs;
        if (file.folder != nullptr &&
            fs::exists(file.folder->path() / opened)) { // not inside an archive
            EXPECT_TRUE(fs::exists(top / file.path)) << file.path;
        }
    }
}

/// What the scripts that wrote the samples noted: name -> "dtype [shape] sha256"; empty where
/// nothing was noted.
using Expected = std::map<std::string, std::string>;

std::string rowText(const JsonValue& dtype, const JsonValue& shape, const JsonValue& sha) {
    std::string extents;
    const auto list = shape.asArray();
    for (const JsonValue& extent : *list) {
        extents += (extents.empty() ? "" : ",") + std::to_string(extent.asInteger().value_or(-1));
    }
    return std::string(dtype.asString().value_or("")) + " [" + extents + "] " +
           std::string(sha.asString().value_or(""));
}

Expected expectedJson(const Sample& sample) {
    Expected rows;
    const std::string text = readText(sample.path.parent_path() / "expected.json");
    const auto json = parseJson(text, "expected.json");
    if (text.empty() || !json) {
        return rows;
    }
    const JsonValue* of = json->find(sample.path.filename().string());
    const JsonValue* tensors = of == nullptr ? nullptr : of->find("tensors");
    if (tensors != nullptr) {
        for (const JsonMember& member : tensors->members()) {
            const auto row = member.value.asArray();
            rows[std::string(member.key)] = rowText((*row)[0], (*row)[1], (*row)[2]);
        }
    } else if (of != nullptr && of->asArray()) {
        const auto list = of->asArray();
        for (const JsonValue& item : *list) {
            rows[std::string(item.find("name")->asString().value_or(""))] =
                rowText(*item.find("dtype"), *item.find("shape"), *item.find("sha256"));
        }
    }
    return rows;
}

std::vector<std::byte> fromHex(std::string_view digits) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        bytes.push_back(
            static_cast<std::byte>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
    }
    return bytes;
}

/// tests/data/dcp: "T <name> <dtype> <shape> <elements in hexadecimal>", with tabs.
Expected expectedOracle(const Sample& sample) {
    Expected rows;
    std::istringstream lines(readText(sample.path.string() + ".oracle"));
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> parts;
        std::istringstream in(line);
        for (std::string part; std::getline(in, part, '\t');) {
            parts.push_back(part);
        }
        if (parts.size() >= 4 && parts[0] == "T") {
            const std::string shape = parts[3] == "-" ? "" : parts[3];
            rows[parts[1]] =
                parts[2] + " [" + shape + "] " + sha256(fromHex(parts.size() > 4 ? parts[4] : ""));
        }
    }
    return rows;
}

Expected expectedOf(const Sample& sample) {
    Expected rows = expectedOracle(sample);
    return rows.empty() ? expectedJson(sample) : rows;
}

/// The samples for which the expected tensors were noted.
class NotedConformance : public Conformance {};

TEST_P(NotedConformance, TensorsAreWhatTheirWriterNoted) {
    const Expected expected = expectedOf(GetParam());
    const auto checkpoint = open();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), expected.size());
    for (const auto& [name, row] : expected) {
        const auto index = checkpoint->find(name);
        ASSERT_TRUE(index) << name;
        const auto found = describeTensor(*checkpoint, checkpoint->tensor(*index));
        ASSERT_TRUE(found) << name << ": " << describe(found.error());
        EXPECT_EQ(*found, row) << name;
    }
}

Box randomBox(const Shape& shape, std::mt19937_64& random) {
    Box box = Box::whole(shape);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t first = std::uniform_int_distribution<std::int64_t>(0, shape[d])(random);
        box.origin[d] = std::min(first, std::max<std::int64_t>(shape[d] - 1, 0));
        box.extent[d] =
            std::uniform_int_distribution<std::int64_t>(0, shape[d] - box.origin[d])(random);
    }
    return box;
}

/// The elements of `box` taken from the dense tensor, one by one.
std::vector<std::byte> cut(std::span<const std::byte> whole, const Shape& shape, const Box& box,
                           std::size_t size) {
    std::vector<std::byte> out;
    const std::uint64_t count = elementCount(box.extent).value_or(0);
    const Strides strides = denseStrides(shape);
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t rest = i;
        std::uint64_t place = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            const auto extent = static_cast<std::uint64_t>(box.extent[d]);
            place += (static_cast<std::uint64_t>(box.origin[d]) + rest % extent) *
                     static_cast<std::uint64_t>(strides[d]);
            rest /= extent;
        }
        const auto element = whole.subspan(place * size, size);
        out.insert(out.end(), element.begin(), element.end());
    }
    return out;
}

void compareRegions(const TensorReader& reader, const TensorEntry& tensor,
                    std::span<const std::byte> whole, std::mt19937_64& random) {
    const std::size_t size = reader.elementBytes();
    TensorReader::Scratch scratch;
    for (int i = 0; i < 8; ++i) {
        const Box box = randomBox(tensor.shape, random);
        const auto expected = cut(whole, tensor.shape, box, size);
        std::vector<std::byte> found(expected.size());
        const auto read = reader.readBox(box, found, scratch);
        ASSERT_TRUE(read) << tensor.name << ": " << describe(read.error());
        ASSERT_EQ(found, expected) << tensor.name;
        const std::size_t elements = expected.size() / size;
        const std::size_t first = elements == 0 ? 0 : random() % elements;
        const std::size_t count = elements == 0 ? 0 : random() % (elements - first + 1);
        std::vector<std::byte> part(count * size);
        ASSERT_TRUE(reader.readBytes(box, first * size, part, scratch)) << tensor.name;
        const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(first * size);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), begin)) << tensor.name;
    }
}

TEST_P(Conformance, RandomRegionsEqualTheWhole) {
    const auto checkpoint = open();
    ASSERT_TRUE(checkpoint);
    std::mt19937_64 random(7);
    int left = 80;
    for (const TensorEntry& tensor : checkpoint->tensors()) {
        const bool fullBytes =
            dtypeInfo(tensor.dtype).bits % 8 == 0 && tensor.dtype != Dtype::String;
        if (!fullBytes || !readableCoverage(*checkpoint, tensor).complete() || --left < 0) {
            continue;
        }
        const auto whole = readComplete(*checkpoint, tensor, std::uint64_t{1} << 26U);
        ASSERT_TRUE(whole) << tensor.name << ": " << describe(whole.error());
        const auto reader = TensorReader::open(*checkpoint, tensor);
        ASSERT_TRUE(reader) << tensor.name;
        ASSERT_NO_FATAL_FAILURE(compareRegions(*reader, tensor, *whole, random));
    }
}

TEST_P(WholeConformance, ThreadsThatReadAtOnceAgree) {
    const auto checkpoint = open();
    ASSERT_TRUE(checkpoint);
    std::array<std::string, 3> contents;
    {
        std::vector<std::thread> threads;
        for (std::string& content : contents) {
            threads.emplace_back([&checkpoint, &content] {
                const auto read = contentOf(*checkpoint);
                content = read ? *read : describe(read.error());
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
    const auto alone = contentOf(*checkpoint);
    ASSERT_TRUE(alone) << describe(alone.error());
    for (const std::string& content : contents) {
        EXPECT_EQ(content, *alone);
    }
}

TEST_P(Conformance, ACancelledOpenIsCancelledOrWhole) {
    const CancelToken cancelled;
    cancelled.cancel();
    const auto stopped = openCheckpoint(GetParam().path, cancelled);
    if (!stopped) {
        EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled) << describe(stopped.error());
    } else {
        const auto whole = open();
        ASSERT_TRUE(whole);
        EXPECT_EQ((*stopped)->tensors().size(), whole->tensors().size());
        EXPECT_EQ((*stopped)->completeness(), whole->completeness());
    }
    // Values whose loading was cancelled can be requested again.
    const auto checkpoint = open();
    ASSERT_TRUE(checkpoint);
    const auto impatient = checkpoint->values(cancelled);
    if (!impatient) {
        EXPECT_EQ(impatient.error().code, ErrorCode::Cancelled) << describe(impatient.error());
    }
    const auto again = checkpoint->values();
    ASSERT_TRUE(again) << describe(again.error());
    const auto fresh = open();
    ASSERT_TRUE(fresh);
    EXPECT_EQ(describeValue(*checkpoint, *again), describeValue(*fresh, *fresh->values()));
}

std::vector<Sample> samplesThat(bool (*holds)(const Sample&)) {
    std::vector<Sample> some;
    std::ranges::copy_if(samples(), std::back_inserter(some), holds);
    return some;
}
bool isWhole(const Sample& sample) {
    return sample.whole;
}
bool isNoted(const Sample& sample) {
    return !expectedOf(sample).empty();
}

std::string nameOf(const testing::TestParamInfo<Sample>& row) {
    std::string name = row.param.format + "_" + row.param.label;
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name + "_" + std::to_string(row.index);
}

INSTANTIATE_TEST_SUITE_P(Samples, Conformance, testing::ValuesIn(samples()), nameOf);
INSTANTIATE_TEST_SUITE_P(Samples, WholeConformance, testing::ValuesIn(samplesThat(isWhole)),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Samples, NotedConformance, testing::ValuesIn(samplesThat(isNoted)),
                         nameOf);

TEST(ConformanceSamples, NearlyAllAreWholeAndNoted) {
    EXPECT_EQ(samplesThat(isWhole).size() + 2, samples().size());
    EXPECT_LE(samples().size() - samplesThat(isNoted).size(), 19U)
        << "a new sample comes with what its writer noted";
}

TEST(ConformanceSamples, EveryFormatHasSome) {
    for (const FormatInfo* format : builtinFormats()) {
        EXPECT_TRUE(
            std::ranges::any_of(samples(), [&](const Sample& s) { return s.format == format->id; }))
            << format->id << " has no samples in tests/data";
    }
}

} // namespace
} // namespace cairn::conformance
