// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/formats/common/code_scan/code_scanner.h"

#include <algorithm>
#include <string_view>

// Code that loaders run although it is not a pickle, or that lies in pickles which only the
// loader's own format reveals. Sources: torch 2.13, package/package_importer.py and
// jit/_serialization.py; PyTables 3.11, attributeset.py and atom.py (ObjectAtom); zarr 2
// specification, object arrays.

namespace cairn::formats {
namespace {

using pickle::Verdict;

constexpr std::uint64_t kMaxSource = std::uint64_t{16} << 20U;

bool isSource(std::string_view name) {
    return name.ends_with(".py");
}

/// A record of a TorchScript archive: "NAME/code/….py".
bool isScript(std::string_view name) {
    return isSource(name) && name.find("/code/") != std::string_view::npos;
}

} // namespace

/// A torch.package contains Python modules, which are imported with the pickles that name them.
/// TorchScript has methods in a language of its own, of which loading runs __setstate__.
Result<void> CodeScanner::scanPrograms(const ZipArchive& zip, const CodePlace& place) {
    const bool package = std::ranges::any_of(zip.entries(), [](const ZipEntry& entry) {
        return entry.name.ends_with(".data/extern_modules");
    });
    for (const ZipEntry& entry : zip.entries()) {
        CAIRN_CHECK(m_cancel.check());
        const CodePlace inner = place.inside(entry.name);
        if (package && isSource(entry.name)) {
            notExamined(inner, "Python source, which importing it from the torch.package runs");
            return {};
        }
        if (!isScript(entry.name) || entry.encrypted()) {
            continue;
        }
        const auto source = zip.openEntry(entry);
        const auto bytes = source && (*source)->size() <= kMaxSource
                               ? readRange(**source, {0, (*source)->size()})
                               : Result<std::vector<std::byte>>(
                                     fail(ErrorCode::LimitExceeded, "The source is too large"));
        if (!bytes || asText(*bytes).find("def __setstate__") != std::string_view::npos) {
            notExamined(inner, "a TorchScript method that loading runs");
            return {};
        }
    }
    return {};
}

/// PyTables unpickles attributes that end like a pickle, and the rows of arrays of objects.
void CodeScanner::scanAttributes(const hdf5::Index& index, const CodePlace& place) {
    for (const hdf5::Attribute& attribute : index.attributes) {
        const CodePlace inner = place.inside(
            attribute.path.empty() ? attribute.name : attribute.path + "." + attribute.name);
        for (const std::string& text : attribute.texts) {
            if (attribute.name == "PSEUDOATOM" && text == "object") {
                notExamined(inner, "an array of pickles, which PyTables loads");
            }
            pickle::ScanOptions options = optionsFor(inner);
            options.maybe = true;
            pickle::PickleReport report = pickle::scanPickle(asBytes(text), options);
            if (report.globals.empty() && report.verdict <= Verdict::Malformed) {
                continue; // text
            }
            (void)add(std::move(report), inner);
        }
    }
}

/// An array of objects whose chunks are pickles: those that are compressed in a way that is decoded
/// are examined as files.
Result<void> CodeScanner::scanObjectChunks(const ByteSource& source, const CodePlace& place) {
    if (source.size() > kMaxSource) {
        notExamined(place, "the description of the array is too large");
        return {};
    }
    const auto bytes = readRange(source, {0, source.size()});
    const auto json =
        bytes ? parseJson(asText(*bytes), place.text()) : Result<JsonValue>(bytes.error());
    if (!json) {
        notExamined(place, json.error().message);
        return {};
    }
    const auto idOf = [](const JsonValue& value) {
        const JsonValue* id = value.find("id");
        const auto text = id != nullptr ? id->asString() : Result<std::string_view>("");
        return text ? *text : std::string_view();
    };
    const JsonValue* filters = json->find("filters");
    const JsonValue* compressor = json->find("compressor");
    if (filters == nullptr || compressor == nullptr) {
        return {};
    }
    const bool pickled = std::ranges::any_of(
        filters->elements(), [&](const JsonValue& filter) { return idOf(filter) == "pickle"; });
    const std::string_view codec = idOf(*compressor);
    const bool opened = codec.empty() || codec == "zlib" || codec == "gzip" || codec == "bz2" ||
                        codec == "lzma" || codec == "zstd";
    if (pickled && !opened) {
        notExamined(place, sentence("pickles compressed by %1", std::string(codec)));
    }
    return {};
}

} // namespace cairn::formats
