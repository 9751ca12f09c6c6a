// SPDX-License-Identifier: Apache-2.0
#include "core/plan/request.h"

#include "core/formats/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace cairn {
namespace {

constexpr std::array<std::string_view, kJobKinds> kKindNames = {
    "consolidate", "fold",   "convert", "reshard", "export",
    "cast",        "rename", "average", "pack",    "unpack"};

} // namespace

std::string_view jobKindName(JobKind kind) {
    return kKindNames.at(static_cast<std::size_t>(kind));
}

std::optional<JobKind> jobKindOf(std::string_view name) {
    const auto found = std::ranges::find(kKindNames, name);
    return found == kKindNames.end()
               ? std::nullopt
               : std::optional(static_cast<JobKind>(found - kKindNames.begin()));
}

RequestAdapter adapterOf(const std::string& text) {
    const std::size_t at = text.rfind('=');
    double scale = 1;
    if (at == std::string::npos || Location(text).exists()) {
        return {text, 1};
    }
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + at + 1, end, scale);
    const bool number = read.ec == std::errc() && read.ptr == end && std::isfinite(scale);
    return number ? RequestAdapter{text.substr(0, at), scale} : RequestAdapter{text, 1};
}

JobRequest absoluteRequest(JobRequest request) {
    for (Location& source : request.sources) {
        source = source.absolute();
    }
    for (RequestAdapter& adapter : request.adapters) {
        adapter.place = adapter.place.absolute();
    }
    for (Location* place : {&request.output, &request.like, &request.earlier,
                            &request.trust.signKey, &request.trust.certificate}) {
        *place = place->absolute();
    }
    return request;
}

Result<void> setSources(JobRequest& request, std::span<const std::string> texts) {
    if (texts.size() > 1 && request.kind != JobKind::Average) {
        return fail(ErrorCode::InvalidArgument, "This job requires exactly one checkpoint")
            .butFound(verbatim(texts[1]));
    }
    if (texts.empty()) {
        return fail(ErrorCode::InvalidArgument, "No checkpoint was specified");
    }
    request.sources.clear();
    for (const std::string& text : texts) {
        MemberPath split = splitMember(text);
        if (&text != texts.data() && split.member != request.only.subtree) {
            return fail(ErrorCode::InvalidArgument, "The checkpoints name different parts")
                .butFound(verbatim(text))
                .expecting(verbatim("#" + request.only.subtree));
        }
        request.sources.push_back(std::move(split.location));
        request.only.subtree = std::move(split.member);
    }
    return {};
}

Result<std::vector<double>> parseWeights(std::string_view text) {
    std::vector<double> weights;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string_view part = text.substr(begin, comma - begin);
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        part = part.substr(0, part.find_last_not_of(' ') + 1);
        double weight = 0;
        const char* end = part.data() + part.size();
        const auto [stopped, error] = std::from_chars(part.data(), end, weight);
        if (error != std::errc() || stopped != end) {
            return fail(ErrorCode::InvalidArgument, "Invalid weight")
                .butFound(verbatim(std::string(part)))
                .expecting("comma-separated numbers: 0.5,0.3,0.2");
        }
        weights.push_back(weight);
        begin = comma + 1;
    }
    return weights;
}

Result<std::vector<double>> memberWeights(const JobRequest& request) {
    if (request.weights.empty()) {
        return std::vector<double>(request.sources.size(), 1.0);
    }
    if (request.weights.size() != request.sources.size()) {
        return fail(ErrorCode::InvalidArgument,
                    "The number of weights does not match the number of checkpoints")
            .butFound(sentence("%1 weights", request.weights.size()))
            .expecting(verbatim(std::to_string(request.sources.size())));
    }
    return request.weights;
}

} // namespace cairn
