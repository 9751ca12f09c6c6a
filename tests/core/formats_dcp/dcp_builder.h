// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/codec/pickle_assembler.h"
#include "tests/core/codec/zip_builder.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Writes DCP folders by hand, including ones that torch would not write.
namespace cairn::test {

using Numbers = std::vector<std::int64_t>;

struct ChunkSpec {
    Numbers offsets;
    Numbers sizes;
    std::string path = "__0_0.distcp";
    std::int64_t offset = 0;
    std::int64_t length = 0;
    std::vector<std::string> transforms;
    bool stored = true; ///< has a row in storage_data
};

struct TensorSpec {
    std::string name;
    Numbers size;
    std::vector<ChunkSpec> chunks;
    std::string dtype = "float32";
    std::string className = "TensorStorageMetadata";
};

struct ValueSpec {
    std::string name;
    std::string path = "__0_0.distcp";
    std::int64_t offset = 0;
    std::int64_t length = 0;
    bool stored = true;
};

struct IndexSpec {
    std::vector<TensorSpec> tensors;
    std::vector<ValueSpec> values;
    std::vector<std::pair<std::string, std::vector<std::string>>> planner; ///< "#3": position 3
    bool shareChunks = false; ///< all tensors refer to the first one's list of chunks
};

class IndexWriter {
public:
    std::string write(const IndexSpec& spec) {
        m_out.proto(2);
        object("Metadata");
        m_out.op('}').op('(').text("state_dict_metadata").op('}').op('(');
        for (const TensorSpec& tensor : spec.tensors) {
            writeTensor(tensor, spec.shareChunks);
        }
        for (const ValueSpec& value : spec.values) {
            m_out.text(value.name);
            object("BytesStorageMetadata");
        }
        m_out.op('u').text("planner_data").op('}').op('(');
        for (const auto& [name, path] : spec.planner) {
            writePath(name, path);
        }
        m_out.op('u').text("storage_data").op('}').op('(');
        for (const TensorSpec& tensor : spec.tensors) {
            for (const ChunkSpec& chunk : tensor.chunks) {
                if (chunk.stored) {
                    key(tensor.name, &chunk.offsets);
                    info(chunk.path, chunk.offset, chunk.length, chunk.transforms);
                }
            }
        }
        for (const ValueSpec& value : spec.values) {
            if (value.stored) {
                key(value.name, nullptr);
                info(value.path, value.offset, value.length, {});
            }
        }
        m_out.op('u').op('u').op('b').stop();
        return m_out.str();
    }

private:
    void object(std::string_view name,
                std::string_view module = "torch.distributed.checkpoint.metadata") {
        m_out.global(module, name).op(')').op(0x81);
    }
    void number(std::int64_t value) { m_out.op(0x8a).op(8).little(value); }
    void size(const Numbers& numbers) {
        m_out.global("torch", "Size").op('(');
        for (const std::int64_t value : numbers) {
            number(value);
        }
        m_out.op('t').op(0x85).reduce();
    }
    void writeTensor(const TensorSpec& tensor, bool share) {
        m_out.text(tensor.name);
        object(tensor.className);
        m_out.op('}').op('(').text("properties");
        object("TensorProperties");
        m_out.op('(')
            .global("torch", tensor.dtype)
            .op('N')
            .op(0x89)
            .op('N')
            .op(0x89)
            .op('t')
            .op('b');
        m_out.text("size");
        size(tensor.size);
        m_out.text("chunks");
        if (share && m_shared) {
            m_out.get(7);
        } else {
            m_out.op(']').put(7).op('(');
            for (const ChunkSpec& chunk : tensor.chunks) {
                object("ChunkStorageMetadata");
                m_out.op('}').op('(').text("offsets");
                size(chunk.offsets);
                m_out.text("sizes");
                size(chunk.sizes);
                m_out.op('u').op('b');
            }
            m_out.op('e');
            m_shared = true;
        }
        m_out.op('u').op('b');
    }
    void writePath(const std::string& name, const std::vector<std::string>& path) {
        m_out.text(name).op('(');
        for (const std::string& part : path) {
            if (part.starts_with('#')) {
                number(std::atoll(part.c_str() + 1));
            } else {
                m_out.text(part);
            }
        }
        m_out.op('t');
    }
    void key(const std::string& name, const Numbers* offsets) {
        object("MetadataIndex");
        m_out.op('}').op('(').text("fqn").text(name);
        if (offsets != nullptr) {
            m_out.text("offset");
            size(*offsets);
        }
        m_out.op('u').op('b');
    }
    void info(const std::string& path, std::int64_t offset, std::int64_t length,
              const std::vector<std::string>& transforms) {
        object("_StorageInfo", "torch.distributed.checkpoint.filesystem");
        m_out.op('}').op('(').text("relative_path").text(path).text("offset");
        number(offset);
        m_out.text("length");
        number(length);
        if (!transforms.empty()) {
            m_out.text("transform_descriptors").op(']').op('(');
            for (const std::string& transform : transforms) {
                m_out.text(transform);
            }
            m_out.op('e');
        }
        m_out.op('u').op('b');
    }

    PickleAssembler m_out;
    bool m_shared = false;
};

/// The content of one chunk's `data.pkl`.
struct ItemSpec {
    Numbers shape;
    Numbers strides;
    std::string storage = "FloatStorage";
    std::int64_t first = 0;
    std::string key = "0";
    std::string function = "_rebuild_tensor_v2";
    std::string tag = "storage";
};

inline std::string itemPickle(const ItemSpec& spec) {
    PickleAssembler out;
    const auto number = [&](std::int64_t value) { out.op(0x8a).op(8).little(value); };
    const auto tuple = [&](const Numbers& numbers) {
        out.op('(');
        for (const std::int64_t value : numbers) {
            number(value);
        }
        out.op('t');
    };
    out.proto(2).global("torch._utils", spec.function).op('(');
    out.op('(').text(spec.tag).global("torch", spec.storage).text(spec.key).text("cpu");
    number(12);
    out.op('t').op('Q');
    number(spec.first);
    tuple(spec.shape);
    tuple(spec.strides);
    out.op(0x89).global("collections", "OrderedDict").op(')').reduce().op('t').reduce().stop();
    return out.str();
}

inline std::string archiveOf(std::string pickle, std::string data,
                             std::string byteOrder = "little") {
    return buildZip({stored("archive/data.pkl", std::move(pickle)),
                     stored("archive/byteorder", std::move(byteOrder)),
                     stored("archive/data/0", std::move(data)), stored("archive/version", "3\n")});
}

inline std::string intPickle(std::int64_t value) {
    return PickleAssembler().proto(2).op(0x8a).op(8).little(value).stop().str();
}

/// The floats first, first + 1, …
inline std::string floats(std::size_t count, float first = 0) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
        const float value = first + static_cast<float>(i);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    return bytes;
}

/// Tensor "w" [4, 3] float32 in two shards by rows, and the value "step" = 3 in the first.
struct Sample {
    Sample() {
        const std::string low = archiveOf(itemPickle({{2, 3}, {3, 1}}), floats(6));
        const std::string high = archiveOf(itemPickle({{2, 3}, {3, 1}}), floats(6, 6));
        const std::string step = archiveOf(intPickle(3), "");
        setShards(low, high, step);
    }
    void setShards(const std::string& low, const std::string& high, const std::string& step) {
        files = {{"__0_0.distcp", low + step}, {"__1_0.distcp", high}};
        const auto length = [](const std::string& text) {
            return static_cast<std::int64_t>(text.size());
        };
        index.tensors = {{"w",
                          {4, 3},
                          {{{0, 0}, {2, 3}, "__0_0.distcp", 0, length(low), {}},
                           {{2, 0}, {2, 3}, "__1_0.distcp", 0, length(high), {}}}}};
        index.values = {{"step", "__0_0.distcp", length(low), length(step)}};
        index.planner = {{"w", {"w"}}, {"step", {"step"}}};
    }
    /// Replaces the item of w's second chunk.
    void setHigh(const std::string& item) {
        files[1].second = item;
        second().length = static_cast<std::int64_t>(item.size());
    }
    TensorSpec& w() { return index.tensors[0]; }
    ChunkSpec& first() { return index.tensors[0].chunks[0]; }
    ChunkSpec& second() { return index.tensors[0].chunks[1]; }

    void write(const TemporaryFolder& folder) const {
        for (const auto& [name, content] : files) {
            folder.write(name, content);
        }
        if (writeIndex) {
            folder.write(".metadata", rawIndex.empty() ? IndexWriter().write(index) : rawIndex);
        }
    }

    IndexSpec index;
    std::vector<std::pair<std::string, std::string>> files;
    std::string rawIndex; ///< instead of `index`
    bool writeIndex = true;
};

} // namespace cairn::test
