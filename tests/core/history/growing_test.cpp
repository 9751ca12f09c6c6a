// SPDX-License-Identifier: Apache-2.0
// Logs that grow, are truncated or replaced while they are followed give what reading them anew
// gives, and cost what was appended.
#include "tests/core/history/history_fixture.h"
#include "tests/core/history_binary/fixture.h"

#include <algorithm>
#include <functional>
#include <random>

namespace cairn {
namespace {

using Random = std::mt19937;

void expectSameSeries(const RunHistory& grown, const RunHistory& whole, const std::string& when) {
    ASSERT_EQ(grown.series.size(), whole.series.size()) << when;
    const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
    for (std::size_t i = 0; i < whole.series.size(); ++i) {
        const MetricSeries& a = grown.series[i];
        const MetricSeries& b = whole.series[i];
        EXPECT_EQ(a.name, b.name) << when;
        EXPECT_TRUE(std::ranges::equal(a.steps, b.steps, same)) << when << a.name;
        EXPECT_TRUE(std::ranges::equal(a.values, b.values, same)) << when << a.name;
        EXPECT_TRUE(std::ranges::equal(a.epochs, b.epochs, same)) << when << a.name;
        EXPECT_TRUE(std::ranges::equal(a.wall, b.wall, same)) << when << a.name;
        EXPECT_EQ(a.restarts, b.restarts) << when;
        EXPECT_EQ(a.attempts, b.attempts) << when;
        EXPECT_EQ(a.stepsFrom, b.stepsFrom) << when;
        EXPECT_EQ(a.stepsStrength, b.stepsStrength) << when;
    }
}

/// Reads the folder's history as the window does, beside a reading from the start.
class Followed {
public:
    void read(const HistoryFolder& folder) {
        EXPECT_TRUE(readHistory(folder.path(), folder.path(), {}, nullptr, &m_growing));
    }

    void expectTheSame(const HistoryFolder& folder, const std::string& when) {
        const RunHistory whole = folder.read();
        const auto grown = readHistory(folder.path(), folder.path(), {}, nullptr, &m_growing);
        ASSERT_TRUE(grown) << describe(grown.error());
        expectSameSeries(*grown, whole, when);
        ASSERT_EQ(grown->sources.size(), whole.sources.size()) << when;
        ASSERT_EQ(grown->goals.size(), whole.goals.size()) << when;
        for (std::size_t s = 0; s < whole.sources.size(); ++s) {
            const HistorySource& a = grown->sources[s];
            const HistorySource& b = whole.sources[s];
            EXPECT_EQ(a.bytes, b.bytes) << when;
            EXPECT_EQ(a.purgesFrom, b.purgesFrom) << when;
            ASSERT_EQ(a.warnings.size(), b.warnings.size()) << when;
            for (std::size_t i = 0; i < a.warnings.size(); ++i) {
                EXPECT_EQ(describe(a.warnings[i].error), describe(b.warnings[i].error)) << when;
            }
        }
    }

private:
    GrowingHistories m_growing;
};

/// Bytes that this process has read with system calls.
std::uint64_t bytesRead() {
    std::ifstream file("/proc/self/io");
    std::string name;
    std::uint64_t number = 0;
    file >> name >> number;
    return name == "rchar:" ? number : 0;
}

/// One kind of log: how it begins, and what is appended for a step.
struct Kind {
    std::string file;
    std::function<std::string()> begin;
    /// Appends to `text`; sometimes something that is no row, or damage.
    std::function<void(std::string& text, int step, Random& random)> append;
};

std::string jsonRow(int step) {
    return "{\"step\": " + std::to_string(step) + ", \"loss\": " + std::to_string(1.0 / step) +
           (step % 7 == 0 ? ", \"eval_loss\": 2}" : "}");
}

Kind jsonLines() {
    return {"metrics.jsonl", [] { return jsonRow(1) + "\n"; },
            [](std::string& text, int step, Random& random) {
                const auto kind = random() % 12;
                text += kind == 0   ? "not a row\n"
                        : kind == 1 ? "\n"
                        : kind == 2 ? jsonRow(step / 2 + 1) + "\r\n"
                                    : jsonRow(step) + "\n";
            }};
}

Kind table() {
    return {"metrics.csv", [] { return "step,loss,note,val/loss\n"; },
            [](std::string& text, int step, Random& random) {
                const std::string number = std::to_string(step);
                const std::string row = number + "," + number + ".25,";
                switch (random() % 12) {
                case 0:
                    text += "\n";
                    break;
                case 1:
                    text += row + "\"two\nlines, \"\"quoted\"\"\"," + number + "\n";
                    break;
                case 2:
                    text += row + "\"never closed," + number + "\n";
                    break;
                case 3:
                    text += "step,accuracy,note,loss\n";
                    break;
                case 4:
                    text += row + "NA," + number + ",9\r\n";
                    break;
                case 5:
                    text += row + "x,\"" + number + "\"\n";
                    break;
                case 6:
                    text += row + "\n";
                    break;
                default:
                    text += row + "," + number + ".5\n";
                }
            }};
}

Kind tableOfRuns() {
    return {"results.csv", [] { return "run,step,loss\n"; },
            [](std::string& text, int step, Random& random) {
                text += (random() % 3 == 0 ? "b," : "a,") + std::to_string(step) + ",0.5\n";
            }};
}

Kind console() {
    return {"train.log", [] { return "{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 0.1}\n"; },
            [](std::string& text, int step, Random& random) {
                const std::string number = std::to_string(step);
                switch (random() % 6) {
                case 0:
                    text += "some other output\n";
                    break;
                case 1:
                    text += "2026-01-02 03:04:05 step " + number + ": loss 1.5\n";
                    break;
                case 2:
                    text += "Epoch 1: [step=" + number + "/100\n  loss=0.5\n  acc=0.25]\n";
                    break;
                default:
                    text += "{'loss': 1." + number + ", 'epoch': " + number + ".5}\n";
                }
            }};
}

Kind events() {
    using namespace history_test;
    return {"events.out.tfevents.1.host", [] { return scalarRecord("loss", 0, 1); },
            [](std::string& text, int step, Random& random) {
                std::string record = scalarRecord(step % 3 == 0 ? "eval/loss" : "loss", step,
                                                  static_cast<float>(step));
                const auto kind = random() % 14;
                if (kind == 0) {
                    record[record.size() / 2] ^= 1; // its checksum does not match
                } else if (kind == 1) {
                    record = tfRecord("not an event");
                } else if (kind == 2) { // SessionLog START
                    record = tfRecord(doubleField(1, 2.5) +
                                      varintField(2, static_cast<std::uint64_t>(step)) +
                                      bytesField(7, varintField(1, 1)));
                }
                text += record;
            }};
}

Kind wandbLog() {
    using namespace history_test;
    return {"run-1.wandb", [] { return kLogHead; },
            [](std::string& text, int step, Random& random) {
                const std::size_t before = text.size();
                appendRecord(
                    text, historyRow(
                              step, historyItem("loss", std::to_string(step)) +
                                        historyItem("note",
                                                    '"' + std::string(random() % 900, 'x') + '"')));
                if (random() % 14 == 0) {
                    text[before + (text.size() - before) / 2] ^= 1;
                }
                if (random() % 40 == 0) {
                    text.append(32768 - text.size() % 32768, '\0');
                }
            }};
}

std::vector<Kind> kinds() {
    return {jsonLines(), table(), tableOfRuns(), console(), events(), wandbLog()};
}

class GrowingLog : public ::testing::TestWithParam<std::size_t> {
protected:
    Kind m_kind = kinds()[GetParam()];
};

TEST_P(GrowingLog, WhatGrewIsReadAsIfItWasReadAtOnce) {
    Random random(5);
    for (int round = 0; round < 25; ++round) {
        std::string text = m_kind.begin();
        for (int step = 2; step < 45; ++step) {
            m_kind.append(text, step, random);
        }
        const HistoryFolder folder;
        Followed followed;
        const std::size_t most = text.size() / 20 + 60;
        for (std::size_t size = 30 + random() % 40; size < text.size() + most;
             size += 1 + random() % most) {
            folder.write(m_kind.file, text.substr(0, size));
            const auto when = std::to_string(round) + ", " + std::to_string(size);
            followed.expectTheSame(folder, when);
        }
    }
}

TEST_P(GrowingLog, AnotherFileInItsPlaceIsReadFromItsStart) {
    Random random(9);
    const auto make = [&](int from, int to) {
        std::string text = m_kind.begin();
        for (int step = from; step < to; ++step) {
            m_kind.append(text, step, random);
        }
        return text;
    };
    const HistoryFolder folder;
    Followed followed;
    for (int i = 0; i < 40; ++i) {
        std::string text = make(2 + i % 5, 12 + static_cast<int>(random() % 30));
        if (random() % 3 == 0) {
            text.resize(text.size() - random() % (text.size() / 2));
        }
        if (random() % 3 == 0) {
            std::filesystem::remove(folder.path() / m_kind.file);
        }
        folder.write(m_kind.file, text);
        followed.expectTheSame(folder, std::to_string(i));
    }
}

/// Changes a byte of the file without changing its size.
void changeInPlace(const std::filesystem::path& path, std::string& text, std::size_t from) {
    const std::size_t digit = text.find_first_of("123456", from);
    const std::size_t at = digit < text.size() ? digit : from;
    text[at] = static_cast<char>(text[at] ^ 1);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(text[at]);
}

TEST_P(GrowingLog, AChangeInPlaceIsReadAgain) {
    Random random(21);
    const HistoryFolder folder;
    const std::filesystem::path path = folder.path() / m_kind.file;
    for (const std::size_t size : {std::size_t{200} << 10U, std::size_t{3} << 20U}) {
        std::string text = m_kind.begin();
        int step = 2;
        while (text.size() < size) {
            m_kind.append(text, step++, random);
        }
        folder.write(m_kind.file, text);
        Followed followed;
        followed.expectTheSame(folder, "at first");
        const auto known = std::filesystem::last_write_time(path);
        changeInPlace(path, text, text.size() / 2);
        std::filesystem::last_write_time(path, known); // as if a copy had kept it
        followed.expectTheSame(folder, "of the same size");

        changeInPlace(path, text, text.size() / 3);
        const std::size_t before = text.size();
        m_kind.append(text, step++, random);
        std::ofstream(path, std::ios::app | std::ios::binary) << text.substr(before);
        for (std::size_t compared = std::size_t{1} << 20U; compared < size;
             compared += std::size_t{1} << 20U) {
            followed.read(folder); // its turn may come later
        }
        followed.expectTheSame(folder, "that also grew");
    }
}

/// Of a table of several runs the whole file is read, to list them.
class GrowingLogOfOneRun : public GrowingLog {};

TEST_P(GrowingLogOfOneRun, ItCostsWhatWasAppended) {
    const HistoryFolder folder;
    Random random(3);
    std::string text = m_kind.begin();
    int step = 2;
    while (text.size() < (std::size_t{6} << 20U)) {
        m_kind.append(text, step++, random);
    }
    // A complete row last: a damaged one is read again.
    std::string sound;
    do {
        sound = text;
        m_kind.append(sound, step, random);
    } while (sound.size() - text.size() > 4096);
    folder.write(m_kind.file, text);
    GrowingHistories growing;
    const auto read = [&] {
        const std::uint64_t before = bytesRead();
        const auto history = readHistory(folder.path(), folder.path(), {}, nullptr, &growing);
        EXPECT_TRUE(history) << describe(history.error());
        return bytesRead() - before;
    };
    ASSERT_GT(bytesRead(), 0U);
    EXPECT_GT(read(), text.size());
    std::ofstream(folder.path() / m_kind.file, std::ios::app | std::ios::binary)
        << sound.substr(text.size());
    // The head by which its format is recognised, the 1 MiB that is compared, and what follows the
    // last sound row.
    EXPECT_LT(read(), std::uint64_t{1'500'000});
}

INSTANTIATE_TEST_SUITE_P(Kinds, GrowingLog, ::testing::Range(std::size_t{0}, std::size_t{6}));
INSTANTIATE_TEST_SUITE_P(Kinds, GrowingLogOfOneRun,
                         ::testing::Values(std::size_t{0}, std::size_t{1}, std::size_t{3},
                                           std::size_t{4}, std::size_t{5}));

TEST(HistoryColumns, CopiesOfAHistoryShareThePoints) {
    const HistoryFolder folder;
    folder.write("metrics.jsonl", jsonRow(1) + "\n" + jsonRow(2) + "\n");
    const RunHistory history = folder.read();
    RunHistory copy = history;
    ASSERT_EQ(copy.series.size(), 1U);
    EXPECT_TRUE(copy.series[0].values.sharesWith(history.series[0].values));
    EXPECT_TRUE(copy.series[0].steps.sharesWith(history.series[0].steps));
    copy.series[0].values.push_back(7);
    EXPECT_EQ(copy.series[0].values.size(), 3U);
    EXPECT_EQ(history.series[0].values.size(), 2U);
    EXPECT_FALSE(copy.series[0].values.sharesWith(history.series[0].values));
}

} // namespace
} // namespace cairn
