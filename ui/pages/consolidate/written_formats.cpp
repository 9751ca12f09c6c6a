// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/written_formats.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <vector>

namespace cairn::ui {
namespace {

struct FormatWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::FormatWords)
};

/// What the window adds to a format.
struct KnownFormat {
    std::string_view id;
    const char* tip;    ///< a text of FormatWords
    const char* file;   ///< Python that loads a file, %1: the quoted path; null: none
    const char* folder; ///< the same for a folder
};

constexpr const char* kDcp =
    "import torch\nimport torch.distributed.checkpoint as dcp\n"
    "entries = dcp.FileSystemReader(%1).read_metadata().state_dict_metadata\n"
    "state = {name: torch.empty(entry.size, dtype=entry.properties.dtype)\n"
    "         for name, entry in entries.items() if hasattr(entry, \"size\")}\n"
    "dcp.load(state, checkpoint_id=%1)\n";
constexpr const char* kBundle =
    "from transformers import AutoModelForCausalLM\n"
    "model = AutoModelForCausalLM.from_pretrained(%1, torch_dtype=\"auto\")\n";

constexpr const char* kAdapter = "from peft import AutoPeftModelForCausalLM\n"
                                 "model = AutoPeftModelForCausalLM.from_pretrained(%1)\n";

/// In the order in which they are offered, before all others.
constexpr auto kKnown = std::to_array<KnownFormat>({
    {"safetensors",
     QT_TRANSLATE_NOOP("cairn::ui::FormatWords",
                       "One .safetensors file, or several of a chosen size"),
     "from safetensors.torch import load_file\nstate = load_file(%1)\n",
     "import pathlib\nfrom safetensors.torch import load_file\n"
     "state = {}\nfor file in sorted(pathlib.Path(%1).glob(\"*.safetensors\")):\n"
     "    state.update(load_file(file))\n"},
    {"torch",
     QT_TRANSLATE_NOOP("cairn::ui::FormatWords", "One file for torch.load(weights_only=True)"),
     "import torch\nstate = torch.load(%1, map_location=\"cpu\", weights_only=True)\n", nullptr},
    {"dcp",
     QT_TRANSLATE_NOOP("cairn::ui::FormatWords",
                       "For torch.distributed.checkpoint, resharded for another world size"),
     kDcp, kDcp},
    {"gguf",
     QT_TRANSLATE_NOOP("cairn::ui::FormatWords",
                       "For llama.cpp: its names, with config and tokenizer inside"),
     "from llama_cpp import Llama\nmodel = Llama(model_path=%1)\n", nullptr},
    {"tensorflow",
     QT_TRANSLATE_NOOP("cairn::ui::FormatWords",
                       "A TensorFlow checkpoint: index and data in a folder, loaded by names or "
                       "restored into objects"),
     nullptr,
     "import tensorflow as tf\nreader = tf.train.load_checkpoint(%1)\n"
     "state = {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}\n"},
    {"keras",
     QT_TRANSLATE_NOOP("cairn::ui::FormatWords",
                       "One .weights.h5 file for load_weights() of Keras 3"),
     "model.load_weights(%1)\n", nullptr},
    {"npz", QT_TRANSLATE_NOOP("cairn::ui::FormatWords", "One archive of arrays for numpy.load()"),
     "import numpy\nstate = dict(numpy.load(%1))\n", nullptr},
    {"orbax", QT_TRANSLATE_NOOP("cairn::ui::FormatWords", "A folder of arrays for Orbax (JAX)"),
     nullptr,
     "import pathlib\nimport orbax.checkpoint as ocp\n"
     "state = ocp.StandardCheckpointer().restore(pathlib.Path(%1).absolute())\n"},
    {"flax", QT_TRANSLATE_NOOP("cairn::ui::FormatWords", "One MessagePack file for Flax (JAX)"),
     "from flax import serialization\n"
     "with open(%1, \"rb\") as file:\n"
     "    state = serialization.msgpack_restore(file.read())\n",
     nullptr},
});

const KnownFormat* known(std::string_view id) {
    const auto found = std::ranges::find(kKnown, id, &KnownFormat::id);
    return found == kKnown.end() ? nullptr : found;
}

/// The layout of two small tensors; fails for formats of one.
Result<OutputLayout> layoutOfTwo(const FormatInfo& format, std::uint64_t maxShardBytes) {
    const Shape shape{2, 2};
    const std::array<LayoutTensor, 2> tensors = {
        LayoutTensor{TensorIndex(0), "a", Dtype::Float32, shape},
        LayoutTensor{TensorIndex(1), "b", Dtype::Float32, shape}};
    LayoutRequest request;
    request.tensors = tensors;
    request.maxShardBytes = maxShardBytes;
    return format.layout(request);
}

std::vector<const FormatInfo*> findOffered() {
    std::vector<const FormatInfo*> formats;
    for (const FormatInfo* format : builtinFormats()) {
        if (format->layout != nullptr && !format->writes.oneTensor) {
            formats.push_back(format);
        }
    }
    std::ranges::stable_sort(formats, {}, [](const FormatInfo* format) {
        return std::ranges::find(kKnown, format->id, &KnownFormat::id) - kKnown.begin();
    });
    return formats;
}

const FormatInfo* firstThat(bool OutputTraits::*can) {
    const auto formats = offeredFormats();
    const auto found = std::ranges::find_if(
        formats, [can](const FormatInfo* format) { return format->writes.*can; });
    return found == formats.end() ? nullptr : *found;
}

} // namespace

QString pythonQuoted(const std::filesystem::path& path) {
    QString text = QString::fromLocal8Bit(path.c_str()); // to be pasted: the file's name
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\"))
        .replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

std::span<const FormatInfo* const> offeredFormats() {
    static const std::vector<const FormatInfo*> formats = findOffered();
    return formats;
}

const FormatInfo& usualFormat() {
    return *offeredFormats().front();
}

const FormatInfo& formatOtherThan(std::string_view id) {
    const auto formats = offeredFormats();
    return formats.front()->id != id ? *formats[0] : *formats[1];
}

const FormatInfo* formatWithBlocks() {
    return firstThat(&OutputTraits::hasBlocks);
}

const FormatInfo* formatOfRanks() {
    return firstThat(&OutputTraits::cutsTensors);
}

bool limitsFileSize(const FormatInfo& format) {
    if (format.layout == nullptr) { // a trainer's folder
        return false;
    }
    constexpr std::uint64_t kOneTensor = 16;
    const auto whole = layoutOfTwo(format, 0);
    const auto limited = layoutOfTwo(format, kOneTensor);
    return whole && limited && limited->files.size() > whole->files.size();
}

QString formatTip(std::string_view id) {
    const KnownFormat* format = known(id);
    return format == nullptr ? QString() : FormatWords::tr(format->tip);
}

QString bundleTip() {
    return FormatWords::tr("Weights, config and tokenizer as expected by from_pretrained()");
}

QString pythonSnippet(const JobRequest& request, bool folder, bool isAdapter) {
    const KnownFormat* format = known(request.to.empty() ? usualFormat().id : request.to);
    const char* code = request.kind == JobKind::Pack ? nullptr // only Cairn reads it
                       : request.bundle              ? (isAdapter ? kAdapter : kBundle)
                       : format == nullptr           ? nullptr
                       : folder                      ? format->folder
                                                     : format->file;
    return code == nullptr ? QString()
                           : QString::fromLatin1(code).arg(pythonQuoted(request.output.path()));
}

} // namespace cairn::ui
