// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/layout.h"

#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/numpy/npz_write.h"
#include "core/formats/common/numpy/numpy_dtype.h"

#include <algorithm>
#include <unordered_set>

namespace cairn::formats::numpy_shards {
namespace {

/// A tensor, or some of its rows, in one shard.
struct Part {
    const LayoutTensor* tensor = nullptr;
    std::size_t shard = 0;
    Box box;
};

/// Empty: NumPy cannot represent the dtype.
std::string descrOf(Dtype dtype) {
    std::string named = numpyTypeString(dtype);
    const DtypeInfo& info = dtypeInfo(dtype);
    const bool number = info.kind == DtypeKind::Float || info.kind == DtypeKind::Signed ||
                        info.kind == DtypeKind::Unsigned;
    if (named.empty() && number && (info.bits == 8 || info.bits == 16)) {
        return "<V" + std::to_string(info.bits / 8);
    }
    return named;
}

/// Fills shards in the given order; larger tensors are cut into rows.
class Splitter {
public:
    explicit Splitter(std::uint64_t most) : m_most(most) {}

    Result<void> add(const LayoutTensor& tensor) {
        const auto bytes = dtypeBytes(tensor.dtype, elementCount(tensor.shape).value_or(0));
        if (!bytes) {
            return fail(ErrorCode::LimitExceeded, "The tensor's size overflows")
                .inTensor(std::string(tensor.name));
        }
        const std::uint64_t rows =
            tensor.shape.empty() ? 1 : static_cast<std::uint64_t>(tensor.shape[0]);
        if (m_most == 0 || *bytes <= m_most || rows < 2) {
            place(tensor, Box::whole(tensor.shape), *bytes);
            return {};
        }
        const std::uint64_t rowBytes = *bytes / rows;
        const std::uint64_t step = std::max<std::uint64_t>(1, m_most / rowBytes);
        for (std::uint64_t first = 0; first < rows; first += step) {
            const std::uint64_t count = std::min(step, rows - first);
            Box box = Box::whole(tensor.shape);
            box.origin[0] = static_cast<std::int64_t>(first);
            box.extent[0] = static_cast<std::int64_t>(count);
            place(tensor, std::move(box), count * rowBytes);
        }
        return {};
    }

    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
    [[nodiscard]] std::size_t shards() const { return m_shards; }

private:
    void place(const LayoutTensor& tensor, Box box, std::uint64_t bytes) {
        const bool full = m_most != 0 && m_used > 0 && (bytes > m_most || m_used > m_most - bytes);
        // Two parts of one tensor would have the same name in the archive.
        const bool again = !m_parts.empty() && m_parts.back().tensor == &tensor;
        if (full || again) {
            ++m_shards;
            m_used = 0;
        }
        m_used += bytes;
        m_parts.push_back({&tensor, m_shards - 1, std::move(box)});
    }

    std::uint64_t m_most;
    std::vector<Part> m_parts;
    std::size_t m_shards = 1;
    std::uint64_t m_used = 0;
};

void appendText(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            out += "\\u00";
            out += kDigits[static_cast<unsigned char>(c) >> 4U];
            out += kDigits[static_cast<unsigned char>(c) & 15U];
        } else {
            out += c;
        }
    }
    out += '"';
}

std::string listText(const Dims& dims) {
    std::string text = "[";
    for (const std::int64_t value : dims.span()) {
        text += (text.size() == 1 ? "" : ", ") + std::to_string(value);
    }
    return text + "]";
}

std::string shardName(const std::string& base, std::size_t shard) {
    const std::string digits = std::to_string(shard);
    return base + "_shard_" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits +
           ".npz";
}

std::string manifestText(const std::vector<OutputFile>& files, const std::vector<Part>& parts) {
    std::string text = "{\n  \"format\": \"cairn-numpy-shards\",\n  \"version\": 1,\n"
                       "  \"num_shards\": " +
                       std::to_string(files.size()) + ",\n  \"files\": [";
    for (const OutputFile& file : files) {
        text += &file == files.data() ? "\n    {\"file\": " : ",\n    {\"file\": ";
        appendText(text, file.name);
        text += ", \"bytes\": " + std::to_string(file.size) + "}";
    }
    text += "\n  ],\n  \"tensors\": {";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        const bool first = i == 0 || parts[i - 1].tensor != part.tensor;
        const bool last = i + 1 == parts.size() || parts[i + 1].tensor != part.tensor;
        if (first) {
            text += i == 0 ? "\n    " : ",\n    ";
            appendText(text, part.tensor->name);
            text += ": {\"dtype\": \"" + std::string(dtypeName(part.tensor->dtype)) +
                    "\", \"shape\": " + listText(part.tensor->shape) + ", \"parts\": [";
        }
        text += first ? "{\"file\": " : ",\n      {\"file\": ";
        appendText(text, files[part.shard].name);
        text += ", \"offset\": " + listText(part.box.origin) +
                ", \"shape\": " + listText(part.box.extent) + (last ? "}]}" : "}");
    }
    return text + "\n  }\n}\n";
}

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    Splitter splitter(request.maxShardBytes);
    std::unordered_set<std::string_view> seen;
    for (const LayoutTensor& tensor : request.tensors) {
        if (descrOf(tensor.dtype).empty()) {
            return fail(ErrorCode::DtypeNotRepresentable, "NumPy cannot store this tensor's dtype")
                .inTensor(std::string(tensor.name))
                .butFound(verbatim(std::string(dtypeName(tensor.dtype))))
                .withHint("Use .safetensors or torch");
        }
        if (!isValidUtf8(tensor.name) || !seen.insert(tensor.name).second) {
            return fail(ErrorCode::NameNotRepresentable, "The manifest cannot store this name")
                .inTensor(std::string(tensor.name))
                .butFound("the same name twice, or bytes that are not UTF-8");
        }
        CAIRN_CHECK(splitter.add(tensor));
    }
    std::vector<std::vector<NpzArray>> shards(splitter.shards());
    for (const Part& part : splitter.parts()) {
        const LayoutTensor& tensor = *part.tensor;
        shards[part.shard].push_back(
            {tensor.name, descrOf(tensor.dtype), tensor.dtype, tensor.source, part.box});
    }
    OutputLayout layout;
    layout.folder = true;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        CAIRN_TRY(OutputFile file, layOutNpz(shardName(request.baseName, i), shards[i]));
        layout.files.push_back(std::move(file));
    }
    OutputFile manifest;
    manifest.name = "manifest.json";
    const std::string text = manifestText(layout.files, splitter.parts());
    const auto bytes = asBytes(text);
    manifest.addLiteral(0, {bytes.begin(), bytes.end()});
    manifest.size = text.size();
    layout.files.push_back(std::move(manifest));
    return layout;
}

} // namespace cairn::formats::numpy_shards
