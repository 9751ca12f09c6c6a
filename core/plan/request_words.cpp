// SPDX-License-Identifier: Apache-2.0
#include "core/plan/request_words.h"

#include "core/plan/request_fields.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace cairn {
namespace {

Error notACommand(std::string_view found) {
    return fail(ErrorCode::InvalidArgument, "Not the command of a job")
        .butFound(verbatim(std::string(found)));
}

/// The options among the words of a command.
using Given = std::map<const RequestField*, std::string>;

void add(Given& given, const RequestField& field, std::string_view text) {
    const auto [place, isNew] = given.try_emplace(&field, text);
    if (!isNew) {
        place->second =
            field.join != 0 ? place->second + field.join + std::string(text) : std::string(text);
    }
}

const RequestField* fieldOfWord(std::string_view word) {
    if (word.starts_with("--")) {
        return findRequestField(word.substr(2));
    }
    const auto found = std::ranges::find_if(requestFields(), [&](const RequestField& field) {
        return word.size() == 2 && field.letter != 0 && word[1] == field.letter;
    });
    return found == requestFields().end() ? nullptr : &*found;
}

/// What follows the name of the job: options go to `given`, the rest are sources.
Result<std::vector<std::string>> readWords(std::span<const std::string> words, Given& given) {
    std::vector<std::string> sources;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word.size() < 2 || word[0] != '-') {
            sources.emplace_back(word);
            continue;
        }
        const std::size_t equal =
            word.starts_with("--") ? std::min(word.find('='), word.size()) : word.size();
        const RequestField* field = fieldOfWord(word.substr(0, equal));
        if (field == nullptr) {
            return notACommand(word);
        }
        if (equal < word.size()) {
            add(given, *field, word.substr(equal + 1));
        } else if (field->isSwitch()) {
            add(given, *field, "true");
        } else if (++i < words.size()) {
            add(given, *field, words[i]);
        } else {
            return notACommand(word);
        }
    }
    return sources;
}

} // namespace

std::vector<std::pair<std::string, std::string>> recordedOptions(const JobRequest& request) {
    std::vector<std::pair<std::string, std::string>> recorded;
    for (const RequestField& field : requestFields()) {
        if (field.record == FieldRecord::Always) {
            const std::string value = field.get(request);
            recorded.emplace_back(field.name, value.empty() ? field.byDefault : value);
        }
    }
    if (!request.only.subtree.empty()) {
        recorded.emplace_back("subtree", request.only.subtree);
    }
    for (const RequestField& field : requestFields()) {
        if (field.record == FieldRecord::Given) {
            for (std::string& value : field.values(request)) {
                recorded.emplace_back(field.name, std::move(value));
            }
        }
    }
    if (!request.sharding.empty()) {
        recorded.emplace_back(
            "shards", request.sharding.perLayer ? "per layer" : request.sharding.words().text());
    }
    return recorded;
}

bool setRecorded(JobRequest& request, std::string_view name, std::string_view text) {
    if (name == "subtree") {
        request.only.subtree = text;
        return true;
    }
    const RequestField* field = findRequestField(name);
    if (field == nullptr || field->record == FieldRecord::Never) {
        return name == "shards"; // how an output is divided does not matter for its tensors
    }
    if (field->value == FieldValue::Place) {
        return true; // published without the place; the manifest has the inputs of the job
    }
    return field->set(request, text).has_value();
}

std::vector<std::string> requestWords(const JobRequest& request) {
    std::vector<std::string> words{std::string(jobKindName(request.kind))};
    for (const Location& source : request.sources) {
        const std::string& subtree = request.only.subtree;
        words.push_back(source.path().string() + (subtree.empty() ? "" : "#" + subtree));
    }
    for (const RequestField& field : requestFields()) {
        if (!field.kinds.contains(request.kind)) {
            continue;
        }
        for (const std::string& value : field.values(request)) {
            // in one argument, because a value may begin with a dash
            words.push_back("--" + std::string(field.name) +
                            (field.isSwitch() ? std::string() : "=" + value));
        }
    }
    return words;
}

Result<JobRequest> requestOfWords(std::span<const std::string> words) {
    const auto kind = words.empty() ? std::nullopt : jobKindOf(words.front());
    if (!kind) {
        return notACommand(words.empty() ? std::string_view() : words.front());
    }
    JobRequest request;
    request.kind = *kind;
    Given given;
    CAIRN_TRY(const std::vector<std::string> sources, readWords(words.subspan(1), given));
    CAIRN_CHECK(setSources(request, sources));
    for (const RequestField& field : requestFields()) { // in this order, whatever that of the words
        if (const auto text = given.find(&field); text != given.end()) {
            CAIRN_CHECK(setField(request, field.name, text->second));
        }
    }
    return request;
}

} // namespace cairn
