// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy_dtype.h"
#include "core/formats/numpy_shards/manifest_words.h"

#include <charconv>

namespace cairn::formats::numpy_shards {
namespace {

std::optional<std::int64_t> number(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
}

struct Range {
    std::int64_t start = 0;
    std::optional<std::int64_t> stop;
};

/// "0:4", ":8", ":".
std::optional<Range> rangeOfText(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view first = text.substr(0, colon);
    const std::string_view last = text.substr(colon + 1);
    Range range;
    if (const auto start = number(first)) {
        range.start = *start;
    } else if (first.find_first_not_of(' ') != std::string_view::npos) {
        return std::nullopt;
    }
    range.stop = number(last);
    if (!range.stop && last.find_first_not_of(' ') != std::string_view::npos) {
        return std::nullopt;
    }
    return range;
}

/// [0, 4], {"start": 0, "stop": 4}, "0:4".
std::optional<Range> rangeOf(const JsonValue& json) {
    if (json.kind() == JsonKind::String) {
        return rangeOfText(*json.asString());
    }
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> stop;
    if (json.kind() == JsonKind::Object) {
        start = integerAt(json, {"start", "begin", "from", "lo"});
        stop = integerAt(json, {"stop", "end", "to", "hi"});
    } else {
        const auto pair = json.elements();
        if (pair.size() != 2) {
            return std::nullopt;
        }
        start = integerOf(&pair[0]);
        stop = integerOf(&pair[1]);
        if (!start && !pair[0].isNull()) {
            return std::nullopt;
        }
    }
    Range range{start.value_or(0), stop};
    return range.start >= 0 && (!range.stop || *range.stop >= range.start) ? std::optional(range)
                                                                           : std::nullopt;
}

void setBox(std::span<const Range> ranges, ManifestPart& part) {
    Dims origin(ranges.size(), 0);
    Dims extent(ranges.size(), 0);
    bool closed = true;
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        origin[d] = ranges[d].start;
        closed = closed && ranges[d].stop && *ranges[d].stop >= ranges[d].start;
        extent[d] = closed ? *ranges[d].stop - ranges[d].start : 0;
    }
    part.origin = origin;
    if (closed) {
        part.extent = extent;
    }
}

/// Ranges of all dimensions, in a list or a text with commas.
bool readRanges(const JsonValue& json, ManifestPart& part) {
    std::vector<Range> ranges;
    if (json.kind() == JsonKind::String) {
        std::string_view text = *json.asString();
        while (!text.empty() && (text.front() == '[' || text.front() == '(')) {
            text.remove_prefix(1);
        }
        while (!text.empty() && (text.back() == ']' || text.back() == ')')) {
            text.remove_suffix(1);
        }
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            const auto range = rangeOfText(text.substr(begin, end - begin));
            if (!range || ranges.size() == kMaxRank) {
                return false;
            }
            ranges.push_back(*range);
            begin = end + 1;
        }
    } else {
        for (const JsonValue& item : json.elements()) {
            const auto range = rangeOf(item);
            if (!range || ranges.size() == kMaxRank) {
                return false;
            }
            ranges.push_back(*range);
        }
    }
    if (ranges.empty()) {
        return false;
    }
    setBox(ranges, part);
    return true;
}

/// {"origin": [..], "extent": [..]}, {"start": [..], "stop": [..]}.
void readBoxObject(const JsonValue& json, ManifestPart& part) {
    const auto origin = dimsOf(
        findAny(json, {"origin", "offset", "offsets", "start", "starts", "begin", "lo", "from"}));
    const auto extent =
        dimsOf(findAny(json, {"extent", "extents", "shape", "size", "sizes", "lengths", "length"}));
    const auto stop = dimsOf(findAny(json, {"stop", "stops", "end", "ends", "hi", "to"}));
    if (!origin) {
        return;
    }
    part.origin = origin;
    if (extent) {
        part.extent = extent;
    } else if (stop && stop->size() == origin->size()) {
        Dims difference = *stop;
        for (std::size_t d = 0; d < difference.size(); ++d) {
            if (difference[d] < (*origin)[d]) {
                return;
            }
            difference[d] -= (*origin)[d];
        }
        part.extent = difference;
    }
}

} // namespace

std::optional<Dims> dimsOf(const JsonValue* json) {
    if (json == nullptr || json->kind() != JsonKind::Array || json->elements().size() > kMaxRank) {
        return std::nullopt;
    }
    Dims dims(json->elements().size(), 0);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const auto value = integerOf(&json->elements()[d]);
        if (!value || *value < 0) {
            return std::nullopt;
        }
        dims[d] = *value;
    }
    return dims;
}

void readBox(const JsonValue& json, ManifestPart& part) {
    if (json.kind() == JsonKind::Object) {
        readBoxObject(json, part);
    } else {
        readRanges(json, part);
    }
}

std::optional<std::int64_t> readAxis(const JsonValue& json, bool& replicated) {
    if (const auto number = integerOf(&json)) {
        return number;
    }
    if (json.kind() == JsonKind::Object) {
        return integerAt(json, {"axis", "dim"});
    }
    if (json.kind() == JsonKind::Bool) {
        return std::nullopt;
    }
    const auto text = json.asString();
    if (!text) {
        return std::nullopt;
    }
    if (*text == "row" || *text == "rows") {
        return 0;
    }
    if (*text == "col" || *text == "cols" || *text == "column" || *text == "columns") {
        return 1;
    }
    replicated = *text == "replicated" || *text == "replicate" || *text == "copy" ||
                 *text == "none" || *text == "full";
    return std::nullopt;
}

void readTensorWords(const JsonValue& json, ManifestTensor& tensor, bool inFile) {
    if (const std::string dtype = textAt(json, {"dtype", "type", "data_type"}); !dtype.empty()) {
        tensor.dtype = dtypeOfPeople(dtype);
    }
    auto shape = dimsOf(findAny(json, {"global_shape", "full_shape", "logical_shape", "total_shape",
                                       "orig_shape", "original_shape"}));
    if (!shape && !inFile) {
        shape = dimsOf(json.find("shape"));
    }
    if (shape) {
        tensor.shape = shape;
    }
    bool replicated = false;
    if (const JsonValue* axis =
            findAny(json, {"axis", "dim", "split_axis", "shard_axis", "concat_axis", "split_dim",
                           "shard_dim", "partition_axis", "partition_dim", "split", "partition"})) {
        const auto value = readAxis(*axis, replicated);
        tensor.axis = value ? value : tensor.axis;
    }
    if (const auto grid = dimsOf(findAny(json, {"grid", "grid_shape", "mesh", "mesh_shape"}))) {
        tensor.grid = grid;
    }
    for (const std::string_view word : {"type", "kind", "mode", "strategy", "placement", "style"}) {
        const JsonValue* said = json.find(word);
        if (said != nullptr && said->kind() == JsonKind::String && !tensor.axis) {
            tensor.axis = readAxis(*said, replicated);
        }
    }
    if (const JsonValue* flag = findAny(json, {"replicated", "replicate", "is_replicated"})) {
        replicated = replicated || (flag->kind() == JsonKind::Bool && *flag->asBool());
    }
    tensor.replicated = tensor.replicated || replicated;
}

ManifestPart readPart(const JsonValue& json, bool alone) {
    ManifestPart part;
    if (json.kind() == JsonKind::String) {
        part.file = *json.asString();
        return part;
    }
    part.file = textAt(json, {"file", "filename", "file_name", "path", "shard", "shard_file"});
    part.key = textAt(json, {"key", "member", "array", "entry", "stored_as", "local_name",
                             "local_key", "npz_key", "name"});
    part.order = integerAt(json, {"rank", "index", "order", "shard_id", "shard_index", "shard",
                                  "id", "part", "number"});
    part.at = dimsOf(findAny(json, {"grid_index", "coords", "coord", "coordinates", "grid_pos",
                                    "grid_position", "mesh_coord", "position", "at", "index"}));
    if (const JsonValue* box = findAny(json, {"box", "slice", "slices", "region", "bounds", "range",
                                              "ranges", "index_range"})) {
        readBox(*box, part);
    }
    if (const JsonValue* origin = findAny(json, {"offset", "offsets", "origin", "start", "begin",
                                                 "global_offset", "global_start", "starts"})) {
        if (const auto value = integerOf(origin); value && *value >= 0) {
            part.start = value;
        } else if (const auto list = dimsOf(origin)) {
            part.origin = list;
        }
    }
    if (const JsonValue* rows = json.find("rows"); rows != nullptr && !part.origin) {
        const JsonValue* columns = findAny(json, {"cols", "columns"});
        const auto first = rangeOf(*rows);
        const auto second = columns != nullptr ? rangeOf(*columns) : std::nullopt;
        if (first && second) {
            const std::array both{*first, *second};
            setBox(both, part);
        } else if (first) {
            part.start = first->start;
        }
    }
    auto shape = dimsOf(findAny(json, {"extent", "local_shape", "part_shape", "shard_shape"}));
    if (!shape && !alone) {
        shape = dimsOf(json.find("shape"));
    }
    if (shape) {
        part.extent = shape;
    }
    return part;
}

} // namespace cairn::formats::numpy_shards
