// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/samples.h"

#include "core/io/hash.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace cairn::conformance {
namespace fs = std::filesystem;
namespace {

const fs::path kSource = CAIRN_SOURCE_DIR;
// Samples that open with an error notice or are too large to read completely; the formats' own
// tests open them.
constexpr auto kNoSamples =
    std::to_array<std::string_view>({"gguf/moved", "numpy-shards/alike", "orbax/left_out"});
constexpr std::size_t kMaxValueText = 1'000'000;

void addFolder(std::vector<Sample>& all, const std::string& format) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(kSource / "tests/data" / format)) {
        const std::string ending = entry.path().extension().string();
        const std::string name = entry.path().filename().string();
        constexpr std::array kBeside = {".py", ".json", ".oracle", ".md"};
        if (std::ranges::find(kBeside, ending) == kBeside.end() &&
            std::ranges::find(kNoSamples, format + "/" + name) == kNoSamples.end() &&
            !name.starts_with("__pycache")) {
            paths.push_back(entry.path());
        }
    }
    std::ranges::sort(paths);
    for (const fs::path& path : paths) {
        const std::string label = format + "/" + path.filename().string();
        all.push_back({format, path, label, label != "torch/meta.pt"});
    }
}

void addOne(std::vector<Sample>& all, std::string format, const std::string& place,
            bool whole = true) {
    const std::string name = fs::path(place).filename().string();
    const std::string parent = fs::path(place).parent_path().filename().string();
    all.push_back({std::move(format), kSource / place, parent + "/" + name, whole});
}

std::vector<Sample> findSamples() {
    std::vector<Sample> all;
    for (const FormatInfo* format : builtinFormats()) {
        const std::string id(format->id);
        if (fs::is_directory(kSource / "tests/data" / id)) {
            addFolder(all, id);
        }
    }
    const std::string run = "resources/sample/experiment/";
    for (const char* step : {"step-100", "step-200", "step-300", "step-400"}) {
        addOne(all, "dcp", run + "tiny-llama-a/" + step, std::string_view(step) != "step-300");
    }
    for (const char* epoch : {"1", "2", "3"}) {
        addOne(all, "torch", run + "tiny-llama-b/checkpoint_epoch_" + epoch + ".pt");
    }
    addOne(all, "torch", run + "lightning_logs/version_0/checkpoints/epoch=3-step=128.ckpt");
    addOne(all, "huggingface", run + "hf-export");
    addOne(all, "safetensors", run + "hf-export/model-00002-of-00003.safetensors");
    addOne(all, "safetensors", "tests/data/huggingface/sharded/model-00001-of-00003.safetensors");
    addOne(all, "torch", "tests/data/huggingface/checkpoint-2/optimizer.pt");
    addOne(all, "torch", "tests/data/dcp/lightning.ckpt/meta.pt");
    return all;
}

void appendValue(std::string& out, const Checkpoint& checkpoint, const Value& value) {
    if (out.size() > kMaxValueText) {
        return;
    }
    if (const auto* tensor = value.asTensor()) {
        out += "tensor " + checkpoint.tensor(*tensor).name;
    } else if (const auto* text = value.asString()) {
        out += '"' + *text + '"';
    } else if (const auto* real = value.asFloat()) {
        std::ostringstream exact;
        exact << std::hexfloat << *real;
        out += exact.str();
    } else if (const auto* bytes = value.asBytes()) {
        out += "bytes " + sha256(*bytes);
    } else if (value.isContainer()) {
        out += std::to_string(static_cast<int>(value.kind())) + value.asNode()->className + "(";
        for (const ValueItem& item : value.items()) {
            appendValue(out, checkpoint, item.key);
            out += ": ";
            appendValue(out, checkpoint, item.value);
            out += ", ";
        }
        out += ")";
    } else {
        out += keyText(value);
    }
}

} // namespace

void PrintTo(const Sample& sample, std::ostream* out) {
    *out << sample.label;
}

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = findSamples();
    return all;
}

std::string sha256(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hexText(hash.finish());
}

std::string shapeText(const Shape& shape) {
    std::string text;
    for (const std::int64_t extent : shape.span()) {
        text += (text.empty() ? "" : ",") + std::to_string(extent);
    }
    return text;
}

Result<std::string> describeTensor(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    CAIRN_TRY(const auto bytes, readComplete(checkpoint, tensor, std::uint64_t{1} << 26U));
    return std::string(dtypeName(tensor.dtype)) + " [" + shapeText(tensor.shape) + "] " +
           sha256(bytes);
}

std::string describeValue(const Checkpoint& checkpoint, const Value& value) {
    std::string out;
    appendValue(out, checkpoint, value);
    return out;
}

Result<std::string> contentOf(const Checkpoint& checkpoint) {
    std::string out;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        CAIRN_TRY(const std::string line, describeTensor(checkpoint, tensor));
        out += tensor.name + " " + line + "\n";
    }
    CAIRN_TRY(const Value values, checkpoint.values());
    return out + describeValue(checkpoint, values);
}

std::string noticesText(const Checkpoint& checkpoint) {
    std::string text;
    for (const Notice& notice : checkpoint.notices()) {
        text += std::string(errorName(notice.error.code)) + ": " + describe(notice.error) + "\n";
    }
    return text;
}

} // namespace cairn::conformance
