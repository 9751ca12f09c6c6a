// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/console/line.h"

#include "core/base/ascii.h"
#include "core/base/number_text.h"
#include "core/runs/history/common/time_text.h"
#include "core/runs/history/console/line_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn::history::console {
namespace {

constexpr std::size_t kMaxLine = 65536; ///< longer lines are not step output
constexpr auto kMarks = std::to_array<std::string_view>(
    {"[titan]", "------------------------ arguments ------------------------",
     "> initializing torch distributed", "> initialized tensor model parallel",
     "using world size: ", "building GPT model",
     // modded-nanogpt's log begins with the script
     "val_loss:{val_loss:.4f} train_time:", "with open(sys.argv[0]"});

/// How the numbers after a step are named.
enum class Naming : std::uint8_t {
    Parts, ///< "loss 3.21, time 5.1ms": separated by ',' or '|', a name before each number
    Tight, ///< "val_loss:3.28 step_avg:4ms": separated by blanks, a colon between
};

/// A line of a step: a word, the number of the step, a character, and named numbers.
struct LineForm {
    std::string_view word;
    std::string_view after; ///< one of these characters follows the number
    Naming naming;
    bool isFirst; ///< the word starts the line
};
constexpr auto kForms = std::to_array<LineForm>({
    {"iter ", ":", Naming::Parts, false},  // nanoGPT: iter 10: loss 3.2104, time 5.12ms, mfu 1.0%
    {"step ", ":", Naming::Parts, false},  // nanoGPT: step 250: train loss 2.1, val loss 2.2
    {"step ", "/|", Naming::Parts, false}, // llm.c: step   10/100 | loss 5.1 (+0.1z)| norm 1.2 |
    {"Step ", "|", Naming::Tight, true},   // torchtune's DiskLogger: Step 1 | loss:2.3 lr:0.0003
    {"step:", "/", Naming::Tight, false},  // modded-nanogpt: step:125/1750 val_loss:4.1 …
    {"s:", " ", Naming::Tight, true},      // llm.c's main.log: s:10 trl:5.1 lr:0.1 norm:1.2
});

/// Removes ECMA-48 control sequences (ESC [ … final byte).
std::string_view withoutEscapes(std::string_view line, std::string& buffer) {
    if (line.find('\x1b') == kNpos) {
        return line;
    }
    buffer.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            buffer += line[i];
            continue;
        }
        if (i + 1 < line.size() && line[i + 1] == '[') {
            for (i += 2; i < line.size() && (line[i] < '@' || line[i] > '~');) {
                ++i;
            }
        }
    }
    return buffer;
}

/// "… - INFO - validate ", "Validation | " before the step.
bool isValidationLine(std::string_view front) {
    front = trimmedText(front.substr(0, front.find_last_not_of(" \t|") + 1));
    return front.ends_with("validate") || front.ends_with("Validation");
}

} // namespace

bool hasMarkOfTrainer(std::string_view text) {
    return std::any_of(kMarks.begin(), kMarks.end(),
                       [&](std::string_view mark) { return text.find(mark) != kNpos; });
}

/// "[rank3]:", "[default3]:", "3: " at the start of a line.
void LineParser::readFront(std::string_view front) {
    m_wall = timeIn(front);
    front = skipBlanks(front);
    for (const std::string_view word : {"[rank", "[default", "rank", ""}) {
        if (!front.starts_with(word)) {
            continue;
        }
        unsigned rank = 0;
        const char* begin = front.data() + word.size();
        const char* end = front.data() + front.size();
        const auto parsed = std::from_chars(begin, end, rank);
        const std::string_view after(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
        const bool closed =
            word.starts_with('[') ? after.starts_with(']') : after.starts_with(": ");
        if (parsed.ec == std::errc() && closed) {
            m_rank = rank;
        }
        return;
    }
}

bool LineParser::parse(std::string_view line) {
    m_numbers.clear();
    m_wall.reset();
    m_rank.reset();
    m_kind = LineKind::Training;
    m_prefix = {};
    m_strength = Strength::Recorded;
    if (line.size() > kMaxLine) {
        return false;
    }
    const std::string_view plain = withoutEscapes(line, m_plain);
    const bool maybe = plain.find("iter") != kNpos || plain.find("tep") != kNpos ||
                       plain.find("validation loss at") != kNpos || plain.starts_with("s:");
    return parseBlock(plain) || parseFairseq(plain) ||
           (maybe && (parseBars(plain) || parseForm(plain) || parsePairs(plain))) ||
           parseDict(plain);
}

bool LineParser::takeStep(std::string_view front, const Number& step) {
    if (m_numbers.empty()) {
        return false;
    }
    m_step = step;
    readFront(front);
    return true;
}

bool LineParser::parseForm(std::string_view line) {
    for (const LineForm& form : kForms) {
        const std::size_t at =
            form.isFirst ? (line.starts_with(form.word) ? 0 : kNpos) : findWord(line, form.word);
        if (at == kNpos) {
            continue;
        }
        const std::string_view digits = skipBlanks(line.substr(at + form.word.size()));
        const auto step = numberAt(digits);
        if (!step || !isDigit(digits.front())) {
            continue;
        }
        std::string_view rest = digits.substr(step->length);
        rest = form.after == " " ? rest : skipBlanks(rest);
        if (rest.empty() || form.after.find(rest.front()) == kNpos) {
            continue;
        }
        if (rest.front() == '/') { // the total
            const auto total = numberAt(rest.substr(1));
            rest = total ? rest.substr(1 + total->length) : std::string_view();
        }
        if (form.naming == Naming::Tight) {
            addTight(rest);
        } else {
            rest.remove_prefix(rest.starts_with(':') ? 1 : 0);
            for (std::size_t begin = 0; begin < rest.size();) {
                const std::size_t end = std::min(rest.find_first_of(",|", begin), rest.size());
                addNamed(rest.substr(begin, end - begin));
                begin = end + 1;
            }
        }
        if (takeStep(line.substr(0, at), step->value)) {
            return true;
        }
    }
    return false;
}

/// "train loss 2.1", "lr: 1e-4", "loss=5.1", "loss 5.1 (+0.1z)", "time 5.12ms": a name, a number
/// and a unit. "copied 5 files" is a sentence.
void LineParser::addNamed(std::string_view part) {
    part = trimmedText(part);
    std::size_t at = 0;
    std::optional<LeadingNumber> number;
    for (std::size_t i = 1; i < part.size() && !number; ++i) {
        const char before = part[i - 1];
        if (isBlank(before) || before == ':' || before == '=') {
            number = isBlank(part[i]) ? std::nullopt : numberAt(part.substr(i));
            at = i;
        }
    }
    if (!number || m_numbers.size() >= kMaxNumbers) {
        return;
    }
    const std::string_view name =
        trimmedText(part.substr(0, part.find_last_not_of(" \t:=", at - 1) + 1));
    const std::string_view after = part.substr(at + number->length);
    const std::string_view more = skipBlanks(after.substr(std::min(after.find(' '), after.size())));
    if (!name.empty() && (more.empty() || more.starts_with('('))) {
        m_numbers.push_back({name, false, number->value});
    }
}

/// "loss:2.3 lr:0.0003 tokens_per_second:1,234".
void LineParser::addTight(std::string_view text) {
    while (!text.empty() && m_numbers.size() < kMaxNumbers) {
        const std::size_t begin = text.find_first_not_of(" \t|,");
        if (begin == kNpos) {
            return;
        }
        const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const std::size_t colon = word.rfind(':');
        const auto number =
            colon == kNpos || colon == 0 ? std::nullopt : numberAt(word.substr(colon + 1));
        const std::string_view unit =
            number ? word.substr(colon + 1 + number->length) : std::string_view();
        if (number && std::ranges::all_of(unit, isLetter)) { // "80/a" is of an address
            m_numbers.push_back({word.substr(0, colon), false, number->value});
        }
        text.remove_prefix(end);
    }
}

/// Megatron: parts between bars; the first contains the step.
bool LineParser::parseBars(std::string_view line) {
    const std::size_t bar = line.find('|');
    if (bar == kNpos) {
        return false;
    }
    const std::string_view first = line.substr(0, bar);
    constexpr std::string_view kValidation = "validation loss at ";
    constexpr std::string_view kIteration = "iteration ";
    std::size_t front = findWord(first, kValidation);
    std::size_t at = findWord(first, kIteration);
    if (front != kNpos) {
        m_kind = first.find("test", front) != kNpos ? LineKind::Test : LineKind::Validation;
        at = first.find(kIteration, front);
    } else {
        front = at;
    }
    if (at == kNpos) {
        return false;
    }
    const std::string_view digits = skipBlanks(first.substr(at + kIteration.size()));
    const auto step = numberAt(digits);
    const std::string_view after = step ? skipBlanks(digits.substr(step->length)) : digits;
    // "iteration 10/ 100 |"; a validation line contains "at iteration 10 |", "at iteration 10 on
    // …".
    if (!step || (m_kind == LineKind::Training && !after.starts_with('/'))) {
        return false;
    }
    m_step = step->value;
    readFront(first.substr(0, front));
    for (std::size_t begin = bar + 1; begin < line.size();) {
        const std::size_t end = std::min(line.find('|', begin), line.size());
        addBar(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return true;
}

/// " lm loss: 1.036000E+01 ", or without the colon.
void LineParser::addBar(std::string_view part) {
    part = trimmedText(part);
    const std::size_t colon = part.rfind(':');
    std::string_view name;
    std::string_view text;
    if (colon != kNpos) {
        name = trimmedText(part.substr(0, colon));
        text = skipBlanks(part.substr(colon + 1));
    } else {
        const std::size_t blank = part.find_last_of(" \t");
        name = trimmedText(part.substr(0, blank == kNpos ? 0 : blank));
        text = blank == kNpos ? std::string_view() : part.substr(blank + 1);
    }
    const auto number = numberAt(text);
    if (number && !name.empty() && m_numbers.size() < kMaxNumbers) {
        m_numbers.push_back({name, false, number->value});
    }
}

/// torchtitan: "step: 10  loss: 2.5  …", each name one word.
bool LineParser::parsePairs(std::string_view line) {
    constexpr std::string_view kStep = "step:";
    std::size_t at = findWord(line, kStep);
    at = at == kNpos ? findWord(line, "Step:") : at;
    if (at == kNpos) {
        return false;
    }
    const std::string_view digits = skipBlanks(line.substr(at + kStep.size()));
    const auto step = numberAt(digits);
    if (!step) {
        return false;
    }
    m_step = step->value;
    const std::string_view front = line.substr(0, at);
    m_kind = isValidationLine(front) ? LineKind::Validation : LineKind::Training;
    readFront(front);
    const std::string_view rest = digits.substr(step->length);
    for (std::size_t place = 0; place < rest.size() && m_numbers.size() < kMaxNumbers;) {
        if (!addPair(rest, place)) {
            break;
        }
    }
    return !m_numbers.empty();
}

/// Finds the next "name: number" at or after `at` and moves `at` past it; false if there is none.
bool LineParser::addPair(std::string_view text, std::size_t& at) {
    const std::size_t colon = text.find(':', at);
    if (colon == kNpos) {
        return false;
    }
    std::size_t begin = colon;
    while (begin > at && !isBlank(text[begin - 1]) && text[begin - 1] != ',') {
        --begin;
    }
    const std::string_view name = text.substr(begin, colon - begin);
    at = colon + 1;
    const std::string_view after = skipBlanks(text.substr(at));
    const auto number = numberAt(after);
    if (!number || name.empty() || after.size() == text.size() - at) {
        return true; // not a number, or no space after the colon: a time or an address
    }
    m_numbers.push_back({name, false, number->value});
    std::string_view unit = after.substr(number->length);
    unit = unit.substr(0, unit.find_first_of(" \t"));
    at = text.size() - after.size() + number->length + unit.size();
    const std::size_t bracket = unit.find('(');
    const auto second = bracket != kNpos ? numberAt(unit.substr(bracket + 1)) : std::nullopt;
    if (second && unit.ends_with("%)")) {
        m_numbers.push_back({name, true, second->value});
    }
    return true;
}

} // namespace cairn::history::console
