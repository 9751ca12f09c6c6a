// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/console/line.h"

#include "core/base/ascii.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace cairn::history::console {
namespace {

constexpr auto kNpos = std::string_view::npos;
constexpr std::size_t kMaxLine = 65536;   ///< longer lines are not step output
constexpr std::size_t kMaxNumbers = 1000; ///< limit for one line
constexpr auto kMarks = std::to_array<std::string_view>(
    {"[titan]", "------------------------ arguments ------------------------",
     "> initializing torch distributed", "> initialized tensor model parallel",
     "using world size: ", "building GPT model"});

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

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

/// A printed number; "nan" and "inf" must not be the start of a word.
std::optional<LeadingNumber> numberAt(std::string_view text) {
    const auto number = leadingNumber(text);
    if (!number || number->length == 0) {
        return std::nullopt;
    }
    const bool word = std::none_of(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(number->length), isDigit);
    const std::string_view after = text.substr(number->length);
    const bool continuesWord = !after.empty() && ((after.front() >= 'a' && after.front() <= 'z') ||
                                                  (after.front() >= 'A' && after.front() <= 'Z'));
    return word && continuesWord ? std::nullopt : number;
}

std::string_view skipBlanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == kNpos ? std::string_view() : text.substr(first);
}

/// "… - INFO - validate ", "Validation | " before the step.
bool isValidationLine(std::string_view front) {
    front = trimmedText(front.substr(0, front.find_last_not_of(" \t|") + 1));
    return front.ends_with("validate") || front.ends_with("Validation");
}

/// Finds a complete word, not part of another one.
std::size_t findWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != kNpos; at = text.find(word, at + 1)) {
        if (at == 0 || isBlank(text[at - 1]) || text[at - 1] == ']' || text[at - 1] == '|') {
            return at;
        }
    }
    return kNpos;
}

std::optional<int> digitsAt(std::string_view text, std::size_t at, std::size_t count) {
    int value = 0;
    const char* begin = text.data() + at;
    const auto parsed = std::from_chars(begin, begin + count, value);
    return parsed.ec == std::errc() && parsed.ptr == begin + count && isDigit(*begin)
               ? std::optional(value)
               : std::nullopt;
}

std::optional<double> timeAt(std::string_view text) {
    constexpr std::string_view kForm = "0000-00-00 00:00:00";
    for (std::size_t i = 0; i < kForm.size(); ++i) {
        if (isDigit(kForm[i]) ? !isDigit(text[i])
                              : text[i] != kForm[i] && !(kForm[i] == ' ' && text[i] == 'T')) {
            return std::nullopt;
        }
    }
    const std::chrono::year_month_day day{
        std::chrono::year(*digitsAt(text, 0, 4)),
        std::chrono::month(static_cast<unsigned>(*digitsAt(text, 5, 2))),
        std::chrono::day(static_cast<unsigned>(*digitsAt(text, 8, 2)))};
    const int hour = *digitsAt(text, 11, 2);
    const int minute = *digitsAt(text, 14, 2);
    const int second = *digitsAt(text, 17, 2);
    if (!day.ok() || hour > 23 || minute > 59 || second > 60) {
        return std::nullopt;
    }
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    double wall = static_cast<double>(days) * 86400.0 + hour * 3600 + minute * 60 + second;
    double digit = 0.1;
    const bool fraction =
        text.size() > kForm.size() && (text[kForm.size()] == '.' || text[kForm.size()] == ',');
    for (std::size_t i = kForm.size() + 1; fraction && i < text.size() && isDigit(text[i]); ++i) {
        wall += digit * (text[i] - '0');
        digit /= 10;
    }
    return wall;
}

} // namespace

std::optional<double> timeIn(std::string_view text) {
    constexpr std::size_t kLength = 19;
    for (std::size_t at = 0; at + kLength <= text.size(); ++at) {
        if (isDigit(text[at]) && text[at + 4] == '-') {
            if (const auto time = timeAt(text.substr(at))) {
                return time;
            }
        }
    }
    return std::nullopt;
}

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
    if (line.size() > kMaxLine) {
        return false;
    }
    if (line.find("iteration") == kNpos && line.find("tep") == kNpos &&
        line.find("validation loss at") == kNpos) {
        return false;
    }
    const std::string_view plain = withoutEscapes(line, m_plain);
    return parseBars(plain) || parsePairs(plain);
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
