// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/samples.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>

// Every file of a checkpoint is truncated, at every length if it is small and at many lengths if it
// is not: nothing crashes, and missing data is always reported.

namespace cairn::conformance {
namespace fs = std::filesystem;
namespace {

// Sanitizers make each cut about ten times slower: fewer cuts.
const bool kSanitized = std::getenv("CAIRN_SANITIZED") != nullptr;
const std::uintmax_t kSmall = kSanitized ? 64 : 1200; ///< cut at every length
const std::size_t kCuts = kSanitized ? 10 : 40;    ///< for a longer file, in addition to its ends
const std::uintmax_t kEnds = kSanitized ? 12 : 24; ///< first and last lengths of a longer file
/// Of a checkpoint of more files, the sanitizers see the ends and a few places of each: each cut
/// opens the whole checkpoint.
constexpr std::size_t kManyFiles = 8;

std::set<std::uintmax_t> lengthsOf(std::uintmax_t size, std::size_t files) {
    std::set<std::uintmax_t> lengths;
    std::mt19937_64 random(size);
    const bool few = kSanitized && files > kManyFiles;
    const std::uintmax_t small = few ? 4 : kSmall;
    const std::uintmax_t ends = size <= small ? size : few ? 3 : kEnds;
    for (std::uintmax_t i = 0; i < ends; ++i) {
        lengths.insert(i);
        lengths.insert(size - 1 - i);
    }
    for (std::size_t i = 0; i < (few ? 2 : kCuts) && size > small; ++i) {
        lengths.insert(random() % size);
        lengths.insert(random() % std::min<std::uintmax_t>(size, 4096));
    }
    return lengths;
}

bool saysSomething(const Checkpoint& checkpoint) {
    // Formats that are streams do not claim to be complete, and report that. A modified file counts
    // as changed, whatever its content.
    return checkpoint.completeness() == Completeness::Incomplete ||
           (checkpoint.completeness() == Completeness::Unknown && !checkpoint.why().empty()) ||
           std::ranges::any_of(checkpoint.notices(), [](const Notice& notice) {
               return notice.error.code != ErrorCode::StaleShard;
           });
}

/// Empty if the damage is reported or nothing was lost.
std::string judge(const fs::path& path, const std::string& wholeContent) {
    const auto checkpoint = openCheckpoint(path);
    if (!checkpoint) {
        return checkpoint.error().message.empty() ? "an error without a message" : "";
    }
    const auto content =
        contentOf(**checkpoint); // even if damage was reported: reading must not crash
    if (saysSomething(**checkpoint) || !content || *content == wholeContent) {
        return "";
    }
    return "opened without a word, with other content";
}

void cutFile(const fs::path& file, const fs::path& checkpoint, const std::string& wholeContent,
             std::size_t files) {
    const std::string whole = readText(file);
    const auto time = fs::last_write_time(file);
    const auto lengths = lengthsOf(whole.size(), files);
    // Decreasing lengths: each cut is made from the previous one.
    for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
        fs::resize_file(file, *length);
        fs::last_write_time(file, time);
        const std::string wrong = judge(checkpoint, wholeContent);
        EXPECT_EQ(wrong, "") << file.filename() << " cut to " << *length << " of " << whole.size();
    }
    fs::resize_file(file, 0);
    std::ofstream(file, std::ios::binary) << whole;
    fs::last_write_time(file, time);
}

TEST_P(Conformance, EveryTruncationShows) {
    const TemporaryFolder temp;
    const fs::path copy = temp.path() / GetParam().path.filename();
    fs::copy(GetParam().path, copy, fs::copy_options::recursive);
    const auto checkpoint = openCheckpoint(copy);
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    const auto content = contentOf(**checkpoint);
    const std::string whole = content ? *content : "";
    if (!fs::is_directory(copy)) {
        cutFile(copy, copy, whole, 1);
        return;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(copy)) {
        if (entry.is_regular_file()) {
            files.push_back(entry.path());
        }
    }
    for (const fs::path& file : files) {
        cutFile(file, copy, whole, files.size());
    }
}

/// What a checkpoint that was opened before the cut reads: the old elements, or an error.
void expectNoMixture(const Checkpoint& checkpoint, const std::vector<std::string>& before) {
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto now = describeTensor(checkpoint, checkpoint.tensors()[i]);
        EXPECT_TRUE(!now || *now == before[i]) << checkpoint.tensors()[i].name;
    }
}

TEST_P(Conformance, FilesThatChangeUnderneathAreNoticed) {
    enum class Change : std::uint8_t { Vanish, Shrink, Overwrite };
    for (const Change change : {Change::Vanish, Change::Shrink, Change::Overwrite}) {
        const TemporaryFolder temp;
        const fs::path copy = temp.path() / GetParam().path.filename();
        fs::copy(GetParam().path, copy, fs::copy_options::recursive);
        const auto whole = openCheckpoint(copy);
        ASSERT_TRUE(whole) << describe(whole.error());
        std::vector<std::string> before;
        for (const TensorEntry& tensor : (*whole)->tensors()) {
            const auto text = describeTensor(**whole, tensor);
            before.push_back(text ? *text : "");
        }
        const auto checkpoint = openCheckpoint(copy); // no elements have been read yet
        ASSERT_TRUE(checkpoint);
        std::vector<fs::path> files;
        if (fs::is_directory(copy)) {
            for (const auto& entry : fs::recursive_directory_iterator(copy)) {
                if (entry.is_regular_file()) {
                    files.push_back(entry.path());
                }
            }
        } else {
            files.push_back(copy);
        }
        for (const fs::path& file : files) {
            const auto size = fs::file_size(file);
            if (change == Change::Vanish) {
                fs::remove(file);
            } else if (change == Change::Shrink) {
                fs::resize_file(file, size / 2);
            } else {
                std::ofstream(file, std::ios::binary | std::ios::in | std::ios::out)
                    << std::string(size, 'x');
            }
        }
        expectNoMixture(**checkpoint, before);
        (void)(*checkpoint)->values();
    }
}

} // namespace
} // namespace cairn::conformance
