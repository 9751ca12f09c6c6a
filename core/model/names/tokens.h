// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How names of files, folders, keys and tensors are split into words and numbers. ASCII only:
/// names are bytes, not text of a language. Pure. Any thread.
namespace cairn::names {

/// Between the words of a file's name: "-", "_", "=", "." and the space.
bool isSeparator(char c);

std::string lowered(std::string_view text);

/// The letters right before `at`, separators between them skipped, in lower case: "step" before the
/// 5 of "global_step-5".
std::string wordBefore(std::string_view text, std::size_t at);

/// Runs of letters, in lower case: "train_DataLoader.0.state" -> train, dataloader, state.
std::vector<std::string> wordsOf(std::string_view text);

struct DigitRun {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Every run of digits, the first first.
std::vector<DigitRun> digitRuns(std::string_view text);

/// The whole of `digits` as a number; nothing when it is none or too large.
std::optional<std::int64_t> decimal(std::string_view digits);

/// "optimizer_1" -> "optimizer"; a name without "_<number>" at its end as it is.
std::string_view withoutNumber(std::string_view stem);

/// The word occurs with no letter next to it, nor `unless` right after it.
bool isSeparateWord(std::string_view name, std::string_view word, std::string_view unless = {});

} // namespace cairn::names
