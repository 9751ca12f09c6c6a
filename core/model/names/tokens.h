// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Splits names of files, folders, keys and tensors into words and numbers. ASCII only: names are
/// bytes, not text of a language. Pure. Any thread.
namespace cairn::names {

/// Separators of words in file names: "-", "_", "=", "." and the space.
bool isSeparator(char c);

std::string lowered(std::string_view text);

/// The letters before `at`, skipping separators, in lower case: "step" before the 5 of
/// "global_step-5".
std::string wordBefore(std::string_view text, std::size_t at);

/// Runs of letters, in lower case: "train_DataLoader.0.state" -> train, dataloader, state.
std::vector<std::string> wordsOf(std::string_view text);

struct DigitRun {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Every run of digits, from left to right.
std::vector<DigitRun> digitRuns(std::string_view text);

/// `digits` as a number; empty if it is invalid or too large.
std::optional<std::int64_t> decimal(std::string_view digits);

/// "optimizer_1" -> "optimizer"; unchanged without a trailing "_<number>".
std::string_view withoutNumber(std::string_view stem);

/// Whether the word occurs without a letter next to it, and without `unless` directly after it.
bool isSeparateWord(std::string_view name, std::string_view word, std::string_view unless = {});

} // namespace cairn::names
