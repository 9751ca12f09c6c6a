// SPDX-License-Identifier: Apache-2.0
// Whether plain values, and tensors that are values, are what was saved: with the evidence for it,
// or not at all.
#include "core/io/hash.h"
#include "core/model/checked_elements.h"
#include "core/model/saved_values.h"
#include "core/model/single_number.h"
#include "tests/core/model/synthetic.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace cairn {
namespace {

using test::TemporaryFolder;

/// A file with int64 numbers (7, 9, 11, …) after `lead` bytes, as tensors and as values.
class Numbers {
public:
    explicit Numbers(std::size_t lead = 0,
                     const std::vector<std::string>& names = {"step", "epoch"},
                     std::string fileName = "file")
        : m_fileName(std::move(fileName)) {
        std::vector<std::int64_t> counted;
        for (std::size_t i = 0; i < names.size(); ++i) {
            counted.push_back(static_cast<std::int64_t>(7 + 2 * i));
        }
        const auto numbers = synthetic::bytesOf(counted);
        m_bytes.assign(lead, std::byte{1});
        m_bytes.insert(m_bytes.end(), numbers.begin(), numbers.end());
        CheckpointFile file;
        file.path = m_fileName;
        data.addFile(std::move(file));
        for (const std::string& name : names) {
            TensorEntry tensor;
            tensor.name = name;
            tensor.dtype = Dtype::Int64;
            tensor.role = Role::TrainingState;
            Piece piece;
            piece.box = Box::whole(tensor.shape);
            piece.file = FileIndex(std::size_t{0});
            piece.bytes = {lead + 8 * data.tensors.size(), 8};
            tensor.pieces.push_back(std::move(piece));
            data.tensors.push_back(std::move(tensor));
        }
    }

    /// Of the bytes as they are now.
    void addChecksum(ByteRange range, bool holdsValues = false) {
        const auto bytes = std::span<const std::byte>(m_bytes).subspan(
            static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.length));
        StoredChecksum stored{FileIndex(std::size_t{0}), range, crc32(0, bytes), "record"};
        stored.holdsValues = holdsValues;
        data.checksums.push_back(std::move(stored));
    }
    void flip(std::size_t at) { m_bytes[at] ^= std::byte{1}; }

    CheckpointPtr make() {
        m_folder.write(m_fileName, std::string_view(reinterpret_cast<const char*>(m_bytes.data()),
                                                    m_bytes.size()));
        data.files[0].folder = *Folder::open(m_folder.path());
        data.files[0].identity = (*data.files[0].folder->openFile(m_fileName))->identity();
        data.loadValues = [this](const CancelToken&) -> Result<LoadedValues> {
            std::vector<ValueItem> items;
            for (std::size_t i = 0; i < data.tensors.size(); ++i) {
                items.push_back({Value(data.tensors[i].name), Value(TensorIndex(i))});
            }
            if (plain.kind() != ValueKind::Null) {
                items.push_back({Value("plain"), plain});
            }
            return LoadedValues(Value::dict(std::move(items)), records);
        };
        return Checkpoint::make(data);
    }

    CheckpointData data;
    Value plain;
    ValueRecords records;

private:
    TemporaryFolder m_folder;
    std::string m_fileName;
    std::vector<std::byte> m_bytes;
};

std::string idsOf(const Decided<bool>& decided) {
    std::string ids = decided.value ? (*decided.value ? "saved" : "not saved") : "undecided";
    for (const Evidence& each : decided.because) {
        ids += " " + std::string(each.id);
    }
    return ids;
}

TEST(SavedValues, ANumberWithoutAChecksumIsNotChecked) {
    Numbers numbers;
    const CheckpointPtr checkpoint = numbers.make();
    const SavedValues saved = savedValues(*checkpoint).value();
    EXPECT_TRUE(saved.complete());
    EXPECT_EQ(saved.records.unchecked, 2U);
    const Decided<bool> decided = decideSaved(saved, "run");
    EXPECT_EQ(idsOf(decided), "saved values-not-checked");
    EXPECT_FALSE(decided.isAtLeast(Strength::Proven));
}

TEST(SavedValues, NumbersThatMatchTheirChecksumsAreProven) {
    Numbers numbers(5);
    numbers.addChecksum({5, 8});
    numbers.addChecksum({0, 21}); // contains the other one, and its header
    const CheckpointPtr checkpoint = numbers.make();
    EXPECT_EQ(checkpoint->checksumOver(FileIndex(std::size_t{0}), {5, 8})->bytes.length, 8U);
    EXPECT_EQ(checkpoint->checksumOver(FileIndex(std::size_t{0}), {13, 8})->bytes.length, 21U);
    EXPECT_EQ(checkpoint->checksumOver(FileIndex(std::size_t{0}), {14, 8}), nullptr);
    const SavedValues saved = savedValues(*checkpoint).value();
    EXPECT_EQ(saved.records.compared, 2U);
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "saved values-compared");
}

TEST(SavedValues, OneUncheckedItemKeepsTheWholeFromBeingProven) {
    Numbers numbers;
    numbers.addChecksum({0, 8});
    const SavedValues saved = savedValues(*numbers.make()).value();
    EXPECT_EQ(saved.records.compared, 1U);
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "saved values-not-checked");
}

TEST(SavedValues, ANumberThatDiffersFromItsChecksumIsNeitherShownNorUsed) {
    Numbers numbers(3);
    numbers.addChecksum({3, 8});
    numbers.addChecksum({11, 8});
    numbers.flip(3);
    const CheckpointPtr checkpoint = numbers.make();
    EXPECT_EQ(singleNumber(*checkpoint, checkpoint->tensors()[0]), std::nullopt);
    EXPECT_EQ(singleNumber(*checkpoint, checkpoint->tensors()[1]), 9);
    const SavedValues saved = savedValues(*checkpoint).value();
    ASSERT_EQ(saved.unusable.size(), 1U);
    EXPECT_EQ(saved.unusable[0].path, "step");
    EXPECT_EQ(saved.unusable[0].error.code, ErrorCode::BadChecksum);
    EXPECT_EQ(saved.unusable[0].error.where.file, "file");
    EXPECT_EQ(saved.unusable[0].error.where.tensor, "step");
    EXPECT_EQ(saved.tensors, std::vector{TensorIndex(std::size_t{0})});
    EXPECT_EQ(saved.usable.find("step"), nullptr);
    EXPECT_NE(saved.usable.find("epoch"), nullptr);
    const Decided<bool> decided = decideSaved(saved, "run");
    EXPECT_EQ(idsOf(decided), "not saved values-damaged");
    EXPECT_EQ(decided.because[0].where.field, "step");
}

TEST(SavedValues, LargeRecordsAreComparedOnRequest) {
    Numbers numbers(std::size_t{2} << 20U);
    numbers.addChecksum({0, (std::uint64_t{2} << 20U) + 16}, true);
    numbers.flip(17); // far from the numbers
    numbers.plain = Value("text");
    numbers.records.later = 1;
    const CheckpointPtr checkpoint = numbers.make();
    const SavedValues saved = savedValues(*checkpoint).value();
    EXPECT_EQ(saved.records.later, 3U);
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "saved values-checked-later");
    const LoadedValues loaded = loadedValues(*checkpoint, {}, LargeRecords::Compared).value();
    const SavedValues compared = savedValues(loaded.value);
    ASSERT_EQ(compared.unusable.size(), 1U);
    EXPECT_EQ(compared.unusable[0].error.where.field, "record");
}

/// The index of a record is damaged, so that its numbers are not among the values.
TEST(SavedValues, ADamagedRecordOfValuesThatAreGoneIsNotSaved) {
    for (const bool isDamaged : {false, true}) {
        Numbers numbers(64, {});
        numbers.addChecksum({0, 64}, true);
        numbers.plain = Value("text");
        numbers.records = {.compared = 1};
        if (isDamaged) {
            numbers.flip(3);
        }
        const SavedValues saved = savedValues(*numbers.make()).value();
        EXPECT_EQ(saved.records.mismatched, isDamaged ? 1U : 0U);
        EXPECT_EQ(idsOf(decideSaved(saved, "run")),
                  isDamaged ? "not saved values-damaged" : "saved values-compared");
    }
}

TEST(SavedValues, ALoaderThatComparesNothingIsNotChecked) {
    Numbers numbers;
    numbers.addChecksum({0, 16});
    numbers.plain = Value(std::int64_t{1});
    numbers.records = LoadedValues(Value(1.5)).records;
    EXPECT_EQ(idsOf(decideSaved(savedValues(*numbers.make()).value(), "run")),
              "saved values-not-checked");
    numbers.plain = Value(); // only tensors are left, which were compared
    EXPECT_EQ(idsOf(decideSaved(savedValues(*numbers.make()).value(), "run")),
              "saved values-compared");
    EXPECT_EQ(idsOf(decideSaved(SavedValues(), "run")), "undecided");
}

TEST(SavedValues, ShownButMismatchedIsNotSaved) {
    SavedValues saved;
    saved.records.compared = 4;
    saved.records.mismatched = 1;
    EXPECT_EQ(idsOf(decideSaved(saved, "run")), "not saved values-damaged");
}

TEST(SavedValues, NamesHaveNoInfluence) {
    std::mt19937 random(3);
    const std::array<std::string, 10> words{"step",    "weight", "exp_avg",  "cairn.Unreadable",
                                            "damaged", "a.b",    "\xC3\xA4", "7",
                                            "rng",     "epoch"};
    for (int round = 0; round < 100; ++round) {
        const std::string first = words[random() % words.size()];
        std::string second = words[random() % words.size()];
        second += second == first ? "_" : "";
        const std::string file = words[random() % words.size()] + ".pt";
        for (int damage = 0; damage < 3; ++damage) {
            Numbers numbers(4, {first, second}, file);
            numbers.addChecksum({4, 8});
            if (damage > 0) {
                numbers.addChecksum({12, 8});
            }
            if (damage > 1) {
                numbers.flip(12);
            }
            const SavedValues saved = savedValues(*numbers.make()).value();
            const Decided<bool> decided = decideSaved(saved, file);
            EXPECT_EQ(idsOf(decided), damage == 0   ? "saved values-not-checked"
                                      : damage == 1 ? "saved values-compared"
                                                    : "not saved values-damaged");
            EXPECT_EQ(decided.because.front().where.field, damage > 1 ? second : "");
            EXPECT_NE(saved.usable.find(first), nullptr);
            EXPECT_EQ(saved.usable.find(second) == nullptr, damage > 1);
        }
    }
}

TEST(SavedValues, LessEvidenceIsWeakerOrNoneNeverDamage) {
    const std::array<ByteRange, 4> records{ByteRange{0, 8}, ByteRange{8, 8}, ByteRange{16, 8},
                                           ByteRange{0, 24}};
    for (unsigned kept = 0; kept < 16; ++kept) {
        Numbers numbers(0, {"a", "b", "c"});
        unsigned covered = 0;
        for (std::size_t i = 0; i < records.size(); ++i) {
            if ((kept >> i & 1U) != 0) {
                numbers.addChecksum(records[i]);
                covered |= i == 3 ? 7U : 1U << i;
            }
        }
        const Decided<bool> decided = decideSaved(savedValues(*numbers.make()).value(), "run");
        EXPECT_EQ(decided.value, true) << kept;
        EXPECT_EQ(decided.isAtLeast(Strength::Proven), covered == 7) << kept;
        EXPECT_TRUE(decided.isAtLeast(Strength::Recorded)) << kept;
    }
    Numbers none(0, {});
    EXPECT_EQ(idsOf(decideSaved(savedValues(*none.make()).value(), "run")), "undecided");
}

/// One side of a checksum and its data is changed, or both.
TEST(SavedValues, WhatContradictsAChecksumIsNeverUsed) {
    for (unsigned changed = 1; changed < 8; ++changed) {
        Numbers numbers(0, {"a", "b"});
        numbers.addChecksum({0, 8});
        numbers.addChecksum({8, 8});
        StoredChecksum& stored = numbers.data.checksums[0];
        const std::uint32_t before = stored.crc32;
        if ((changed & 1U) != 0) {
            numbers.flip(3);
        }
        stored.crc32 ^= (changed & 2U) != 0 ? 1U : 0U;
        if ((changed & 4U) != 0) { // the other one has none
            numbers.data.checksums.pop_back();
        }
        const SavedValues saved = savedValues(*numbers.make()).value();
        const Decided<bool> decided = decideSaved(saved, "run");
        const bool differs = (changed & 3U) != 0;
        EXPECT_EQ(decided.value, !differs) << changed;
        EXPECT_EQ(saved.usable.find("a") == nullptr, differs) << changed;
        EXPECT_NE(saved.usable.find("b"), nullptr) << changed;
        if (differs) {
            EXPECT_TRUE(decided.isAtLeast(Strength::Proven));
            EXPECT_EQ(decided.because.front().where.field, "a");
            EXPECT_NE(saved.unusable.at(0).error.found, saved.unusable.at(0).error.expected);
        }
        EXPECT_NE(before, 0U);
    }
    // A record around it that changed elsewhere says less than the number's own one.
    Numbers numbers(8, {"a"});
    numbers.addChecksum({8, 8});
    numbers.addChecksum({0, 16});
    numbers.flip(2);
    EXPECT_EQ(idsOf(decideSaved(savedValues(*numbers.make()).value(), "run")),
              "saved values-compared");
    numbers.data.checksums.erase(numbers.data.checksums.begin());
    EXPECT_EQ(idsOf(decideSaved(savedValues(*numbers.make()).value(), "run")),
              "not saved values-damaged");
}

/// Random records and damages against what the generator knows of them.
TEST(SavedValues, Neighbours) {
    struct Record {
        ByteRange bytes;
        bool computed = true; ///< a writer that does not compute it stores 0
    };
    const auto contains = [](const ByteRange& outer, std::uint64_t begin, std::uint64_t length) {
        return outer.offset <= begin && begin + length <= outer.offset + outer.length;
    };
    std::mt19937 random(29);
    const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
    int wrong = 0;
    int notChecked = 0;
    int damaged = 0;
    for (int round = 0; round < 1000; ++round) {
        const std::size_t lead = round % 100 == 99 ? std::size_t{1} << 20U : pick(20);
        std::vector<std::string> names(1 + pick(8));
        for (std::size_t i = 0; i < names.size(); ++i) {
            names[i] = "n" + std::to_string(i);
        }
        Numbers numbers(lead, names);
        const std::size_t end = lead + 8 * names.size();
        std::vector<Record> records;
        for (std::size_t i = 0; i < names.size(); ++i) { // some own ones, some of several numbers
            const std::size_t kind = pick(5);
            const std::size_t length = kind == 0 ? 0 : kind == 1 ? 8 * (1 + pick(3)) : 8;
            if (length > 0 && lead + 8 * i + length <= end) {
                records.push_back({{lead + 8 * i, length}, pick(12) > 0});
            }
        }
        if (pick(4) == 0) {
            records.push_back({{0, end}, true});
        }
        std::ranges::shuffle(records, random);
        for (const Record& record : records) {
            numbers.addChecksum(record.bytes);
            numbers.data.checksums.back().crc32 *= record.computed ? 1 : 0;
        }
        std::vector<std::size_t> flips;
        for (std::size_t i = pick(3); i > 0; --i) {
            const std::size_t at = pick(2) == 0 ? pick(end) : lead + pick(end - lead);
            if (std::ranges::find(flips, at) == flips.end()) {
                flips.push_back(at);
                numbers.flip(at);
            }
        }
        const auto changed = [&](const ByteRange& range) {
            return std::ranges::any_of(flips,
                                       [&](std::size_t at) { return contains(range, at, 1); });
        };
        const SavedValues saved = savedValues(*numbers.make()).value();
        const Decided<bool> decided = decideSaved(saved, "run");
        bool anyChanged = false;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const ByteRange own{lead + 8 * i, 8};
            bool checkable = false; // every record with it is small and has a checksum
            bool suspect = false;   // one of them changed
            bool all = true;
            for (const Record& record : records) {
                if (contains(record.bytes, own.offset, own.length)) {
                    checkable = true;
                    all = all && record.computed && record.bytes.length <= kMostCompared;
                    suspect = suspect || (record.computed && changed(record.bytes));
                }
            }
            const bool used = saved.usable.find(names[i]) != nullptr;
            anyChanged = anyChanged || changed(own);
            wrong += used && checkable && all && changed(own) ? 1 : 0; // missed
            wrong += !used && !suspect ? 1 : 0;                        // accused
        }
        wrong += anyChanged && decided.value == true && decided.isAtLeast(Strength::Proven) ? 1 : 0;
        wrong += decided.value == false && flips.empty() ? 1 : 0;
        wrong += decided.value ? 0 : 1; // there are values
        notChecked += decided.value == true && !decided.isAtLeast(Strength::Proven) ? 1 : 0;
        damaged += decided.value == false ? 1 : 0;
    }
    std::cout << "values: " << wrong << " wrong, " << damaged << " damaged, " << notChecked
              << " not checked of 1000\n";
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(damaged, 100);
    EXPECT_LT(notChecked, 800);
}

} // namespace
} // namespace cairn
