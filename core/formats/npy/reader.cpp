// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/numpy/npy_array.h"
#include "core/formats/common/numpy/npz_write.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/common/torch/bare_storages.h"
#include "core/formats/format.h"

#include <algorithm>
#include <array>

// Arrays in sequence, as numpy.save and mlx.core.save write them; usually a single one. README.md
// has the byte map.

namespace cairn::formats::npy {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.npy", "*.eqx"});
constexpr auto kEndings = std::to_array<std::string_view>({".npy"});
constexpr std::uint64_t kMaxLine = std::uint64_t{1} << 20U;
constexpr std::size_t kMaxArrays = 400'000;

/// Length of the JSON line before the arrays, with its line feed; empty: none.
std::optional<std::uint64_t> lineBefore(std::string_view head) {
    const std::size_t end = head.starts_with('{') ? head.find('\n') : std::string_view::npos;
    const bool arrays =
        end != std::string_view::npos && head.substr(end + 1).starts_with(kNpyMagic);
    return arrays ? std::optional<std::uint64_t>(end + 1) : std::nullopt;
}

/// The first bytes of the file; enough for a JSON line if the file begins with one.
Result<std::vector<std::byte>> readFront(const ByteSource& source) {
    CAIRN_TRY(auto first, readRange(source, {0, std::min<std::uint64_t>(source.size(), 1)}));
    return asText(first) == "{"
               ? readRange(source, {0, std::min<std::uint64_t>(source.size(), kMaxLine)})
               : std::move(first);
}

bool isEquinoxName(std::string_view name) {
    return name.ends_with(".eqx");
}

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return Match::No;
    }
    const std::string_view head = asText(candidate.head);
    if (head.starts_with(kNpyMagic) || lineBefore(head)) {
        return Match::Yes;
    }
    const bool longLine = head.starts_with('{') && isEquinoxName(candidate.path.native());
    return candidate.path.extension() == ".npy" || longLine ? Match::Maybe : Match::No;
}

/// A dict of arrays saved with numpy.save: one element, a Python object, as a pickle after the
/// header. Empty: not a complete pickle, or without arrays.
Result<CheckpointPtr> openObjects(const OpenRequest& request, const ByteSourcePtr& source,
                                  std::uint64_t offset) {
    CAIRN_TRY(const PickleImagePtr image,
              PickleImage::read(source, {offset, source->size() - offset}, request.cancel));
    const auto graph = pickle::parsePickle({image->bytes(), image});
    if (!graph || offset + graph->consumed() != source->size()) {
        return CheckpointPtr();
    }
    BareStorages storages(image);
    CAIRN_TRY(TorchObjects objects, readTorchObjects(*graph, storages, request.cancel));
    if (objects.tensors.empty()) {
        return CheckpointPtr();
    }
    CheckpointData data = fileData("npy", request, *source);
    data.framework = "numpy";
    return makeCheckpoint(std::move(data), std::move(objects));
}

std::string stemOf(std::string_view path) {
    std::string name(path.substr(path.rfind('/') + 1));
    if (name.size() > 4 && name.ends_with(".npy")) {
        name.resize(name.size() - 4);
    }
    return name;
}

/// Reads arrays until the file ends, or something else follows.
class StreamReader {
public:
    StreamReader(const OpenRequest& request, const ByteSource& source, CheckpointData& data)
        : m_request(request), m_source(source), m_data(data), m_arrays(data) {}

    Result<void> read(std::uint64_t start, NpyHeader first) {
        m_start = start;
        m_header = std::move(first);
        std::string name = stemOf(m_request.name);
        while (true) {
            const bool more = arrayFollows();
            if (more && m_count == 0) {
                name = "0";
            }
            add(std::move(name), more);
            if (!more || !next()) {
                break;
            }
            CAIRN_CHECK(m_request.cancel.check());
            name = std::to_string(m_count);
        }
        m_arrays.noteNameless();
        return {};
    }

    [[nodiscard]] Value values() const { return m_arrays.values(); }

private:
    [[nodiscard]] std::uint64_t end() const {
        return m_start + m_header.dataOffset + m_header.dataBytes;
    }

    /// A pickle of objects has no recorded length, so arrays after it cannot be located.
    bool arrayFollows() const {
        const std::uint64_t size = m_source.size();
        if (m_header.element.kind == NpyKind::Objects || m_count >= kMaxArrays || end() > size ||
            size - end() < kNpyMagic.size()) {
            return false;
        }
        const auto bytes = readRange(m_source, {end(), kNpyMagic.size()});
        return bytes && asText(*bytes) == kNpyMagic;
    }

    void add(std::string name, bool more) {
        NpyPlace place;
        place.file = FileIndex(0);
        place.offset = m_start;
        place.size = (more ? end() : m_source.size()) - m_start;
        place.where = m_request.name;
        place.whereOffset = m_start;
        m_arrays.add(std::move(name), m_header, place);
        ++m_count;
    }

    bool next() {
        const std::uint64_t start = end();
        auto header = readNpyHeader(m_source, start);
        if (!header) {
            Error error = std::move(header).error();
            error.where.offset = start + error.where.offset.value_or(0);
            m_data.completeness = Completeness::Incomplete;
            m_data.why.push_back(sentence("Array %1 cannot be read", m_count));
            m_data.notices.push_back({Severity::Error, std::move(error).inFile(m_request.name)});
            return false;
        }
        m_start = start;
        m_header = std::move(*header);
        return true;
    }

    const OpenRequest& m_request;
    const ByteSource& m_source;
    CheckpointData& m_data;
    NpyArrays m_arrays;
    NpyHeader m_header;
    std::uint64_t m_start = 0; ///< offset of its magic
    std::size_t m_count = 0;
};

/// A stream that was truncated between two arrays is not detectable.
void markAsStream(CheckpointData& data) {
    if (data.completeness == Completeness::Complete) {
        data.completeness = Completeness::Unknown;
        data.why.emplace_back("The file does not record the number of arrays");
    }
}

Value withLine(const Value& arrays, Value line) {
    std::vector<ValueItem> items;
    items.push_back({Value("header"), std::move(line)});
    items.insert(items.end(), arrays.items().begin(), arrays.items().end());
    return Value::dict(std::move(items));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    CAIRN_TRY(const auto head, readFront(*source));
    const std::uint64_t start = lineBefore(asText(head)).value_or(0);
    auto header = readNpyHeader(*source, start);
    if (!header) {
        return std::move(header).error().inFile(request.name);
    }
    if (header->element.kind == NpyKind::Objects && start == 0) {
        CAIRN_TRY(CheckpointPtr objects, openObjects(request, source, header->dataOffset));
        if (objects) {
            return objects;
        }
    }
    CheckpointData data = fileData("npy", request, *source);
    data.framework = "numpy";
    data.completeness = Completeness::Complete;
    StreamReader stream(request, *source, data);
    CAIRN_CHECK(stream.read(start, std::move(*header)));
    Value values = stream.values();
    if (start > 0 || data.tensors.size() > 1 || isEquinoxName(request.name)) {
        markAsStream(data);
    }
    if (start > 0) {
        auto line = parseJson(asText(head).substr(0, start - 1), request.name);
        if (line) {
            values = withLine(values, valueFromJson(*line));
        } else {
            data.notices.push_back({Severity::Warning, std::move(line).error()});
        }
    }
    data.files.front().role = data.tensors.front().role;
    data.loadValues = [values = std::move(values)](const CancelToken&) {
        return Result<LoadedValues>(values);
    };
    return Checkpoint::make(std::move(data));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "npy",
    .title = "NumPy array",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .layout = layoutNpy,
    .writes = {.endings = kEndings, .oneTensor = true, .reader = "numpy.load"}};

} // namespace cairn::formats::npy
