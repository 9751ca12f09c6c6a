// SPDX-License-Identifier: Apache-2.0
//
// Rows and blocks: forms that name their step and epoch among the metrics, or above them.
#include "core/base/number_text.h"
#include "core/runs/history/console/line.h"
#include "core/runs/history/console/line_text.h"

#include <algorithm>
#include <string>

namespace cairn::history::console {
namespace {

constexpr std::string_view kUpdates = "num_updates"; // of fairseq, also "train_num_updates"

/// "2026-01-02 03:04:05 | INFO | train_inner | ", or Hydra's "[…][train_inner][INFO] - ".
bool isLogPrefix(std::string_view front) {
    front = trimmedText(front);
    return front.ends_with('|') || front.ends_with("] -");
}

/// The step in the first line of a block: OLMo's "[step=10/1000,epoch=1]", or Composer's, in the
/// unit in which it trains: "[batch=10/1000]:", for a number of epochs "[epoch=2][batch=3/100]:".
std::optional<BlockStep> blockStepOf(std::string_view line) {
    constexpr std::string_view kStart = "[step=";
    const std::size_t at = line.find(kStart);
    const auto step = at == kNpos ? std::nullopt : numberAt(line.substr(at + kStart.size()));
    if (at != kNpos) {
        return step ? std::optional(BlockStep{step->value}) : std::nullopt;
    }
    for (const std::string_view other : {"[token=", "[sample=", "[iteration="}) {
        const auto count =
            line.starts_with(other) ? numberAt(line.substr(other.size())) : std::nullopt;
        if (count) {
            return BlockStep{count->value, Strength::Named};
        }
    }
    constexpr std::string_view kEpoch = "[epoch=";
    constexpr std::string_view kBatch = "[batch=";
    std::optional<LeadingNumber> epoch;
    if (line.starts_with(kEpoch)) {
        epoch = numberAt(line.substr(kEpoch.size()));
        line = line.substr(std::min(line.find("][") + 1, line.size()));
    }
    const auto batch =
        line.starts_with(kBatch) ? numberAt(line.substr(kBatch.size())) : std::nullopt;
    if (!batch || !epoch) {
        return batch ? std::optional(BlockStep{batch->value}) : std::nullopt;
    }
    const std::size_t slash = line.find('/');
    const auto all = slash == kNpos ? std::nullopt : numberAt(line.substr(slash + 1));
    return all ? std::optional(
                     BlockStep{batch->value + ((epoch->value.nearest - 1) * all->value.nearest)})
               : std::nullopt;
}

} // namespace

/// A dict at the end of a line: the Trainer's {'loss': 2.1, 'epoch': 0.1}, whose numbers newer
/// versions print as text, or fairseq's JSON after "| train_inner |". Other values are skipped.
bool LineParser::parseDict(std::string_view line) {
    const std::string_view end = trimmedText(line);
    const std::size_t open = end.find('{');
    if (open == kNpos || !end.ends_with('}') || open + 1 >= end.size()) {
        return false;
    }
    const std::string_view front = end.substr(0, open);
    const char quote = end[open + 1];
    if ((quote != '\'' && quote != '"') ||
        (quote == '"' && !isLogPrefix(front))) { // a line of JSON is not printed text
        return false;
    }
    bool hasPlace = false;
    for (std::size_t at = open + 1; at < end.size() && m_numbers.size() < kMaxNumbers;) {
        const std::size_t close = end[at] == quote ? end.find(quote, at + 1) : kNpos;
        if (close == kNpos || close + 1 >= end.size() || end[close + 1] != ':') {
            break;
        }
        std::string_view name = end.substr(at + 1, close - at - 1);
        std::string_view value = skipBlanks(end.substr(close + 2));
        const bool isText = value.starts_with(quote);
        value.remove_prefix(isText ? 1 : 0);
        const auto number = numberAt(value);
        const std::string_view after = number ? value.substr(number->length) : std::string_view();
        if (number && !after.empty() &&
            (isText ? after.front() == quote : after.front() == ',' || after.front() == '}')) {
            name = name.ends_with(kUpdates) ? kUpdates : name;
            hasPlace = hasPlace || name == "epoch" || name == "step" || name == kUpdates;
            m_numbers.push_back({name, false, number->value});
        }
        const std::size_t next = end.find(std::string(", ") + quote, close + 1);
        at = next == kNpos ? end.size() : next + 2;
    }
    m_kind = LineKind::Row;
    return hasPlace && m_numbers.size() > 1 && takeStep(front, 0);
}

/// fairseq's progress_bar.py, log format "simple":
///   epoch 001:    100 / 1474 loss=9.25, ppl=608.8, num_updates=100, lr=5e-05
///   epoch 001 | valid on 'valid' subset | loss 8.5 | num_updates 200 | best_loss 8.5
///   epoch 001 | loss 9.25 | num_updates 1474
/// Metrics of an epoch get the prefix that its log format "json" writes.
bool LineParser::parseFairseq(std::string_view line) {
    constexpr std::string_view kEpoch = "epoch ";
    constexpr std::size_t kDigits = 3;
    const std::size_t at = findWord(line, kEpoch);
    const std::string_view digits =
        at == kNpos ? std::string_view() : line.substr(at + kEpoch.size());
    const std::size_t length = std::min(digits.find_first_not_of("0123456789"), digits.size());
    if (length < kDigits) {
        return false;
    }
    std::string_view rest = digits.substr(length);
    const bool isInner = rest.starts_with(':');
    if (!isInner && !rest.starts_with(" | ")) {
        return false;
    }
    bool hasUpdates = false;
    const auto take = [&](std::string_view part, char separator) {
        const std::size_t end = part.rfind(separator);
        const auto number =
            end == kNpos || end == 0 ? std::nullopt : numberAt(part.substr(end + 1));
        if (number && end + 1 + number->length == part.size() && m_numbers.size() < kMaxNumbers) {
            hasUpdates = hasUpdates || part.substr(0, end) == kUpdates;
            m_numbers.push_back({part.substr(0, end), false, number->value});
        }
    };
    m_numbers.push_back({"epoch", false, numberAt(digits)->value});
    if (isInner) { // ":    100 / 1474 loss=9.25, ppl=608.8"
        const std::size_t slash = rest.find(" / ");
        const std::size_t total = slash == kNpos ? kNpos : rest.find(' ', slash + 3);
        rest = total == kNpos ? std::string_view() : rest.substr(total + 1);
    } else {
        constexpr std::string_view kOn = " | valid on '";
        const std::size_t close = rest.starts_with(kOn) ? rest.find('\'', kOn.size()) : kNpos;
        m_prefix = close == kNpos ? "train" : rest.substr(kOn.size(), close - kOn.size());
    }
    const std::string_view separator = isInner ? ", " : " | ";
    for (std::size_t begin = 0; begin < rest.size();) {
        const std::size_t end = std::min(rest.find(separator, begin), rest.size());
        take(trimmedText(rest.substr(begin, end - begin)), isInner ? '=' : ' ');
        begin = end + separator.size();
    }
    m_kind = LineKind::Row;
    if (!hasUpdates) {
        m_numbers.clear();
    }
    return takeStep(line.substr(0, at), 0);
}

/// OLMo's console: "[step=10/1000]" and below it "    train/CE loss=10.9". Composer's:
/// "[batch=10/100]:" and below it "\t Train loss/train/total: 10.9", its file
/// "[metric][batch=10]: loss/train/total: 10.9".
bool LineParser::parseBlock(std::string_view line) {
    constexpr std::string_view kMetric = "[metric][batch=";
    if (line.starts_with(kMetric)) {
        const std::size_t end = line.find("]: ", kMetric.size());
        const auto batch = end == kNpos ? std::nullopt : numberAt(line.substr(kMetric.size()));
        return batch && addEntry(line.substr(end + 3), ": ") && takeStep({}, batch->value);
    }
    if (const auto step = blockStepOf(line)) {
        m_block = *step;
        return false;
    }
    if (m_block && line.starts_with("[Eval batch=")) {
        return false; // of that step
    }
    const bool isIndented = line.starts_with("    ") || line.starts_with("\t");
    if (!m_block || !isIndented) {
        m_block.reset();
        return false;
    }
    std::string_view entry = trimmedText(line);
    const bool isComposer = entry.starts_with("Train ") || entry.starts_with("Eval ");
    entry = isComposer ? entry.substr(entry.find(' ') + 1) : entry;
    m_strength = m_block->strength;
    return addEntry(entry, isComposer ? ": " : "=") && takeStep({}, m_block->step);
}

/// "loss/train/total: 10.9": a name before the last separator, a number after it.
bool LineParser::addEntry(std::string_view entry, std::string_view separator) {
    const std::size_t end = entry.rfind(separator);
    const auto number =
        end == kNpos ? std::nullopt : numberAt(entry.substr(end + separator.size()));
    const std::string_view name = number ? trimmedText(entry.substr(0, end)) : std::string_view();
    if (!name.empty()) {
        m_numbers.push_back({name, false, number->value});
    }
    return !name.empty();
}

} // namespace cairn::history::console
