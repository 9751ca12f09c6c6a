// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/index_writer.h"

#include "core/codec/hdf5/dataset_layout.h"
#include "core/codec/hdf5/index_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::hdf5 {
namespace {

constexpr std::uint64_t kMaxLinks = 2'000'000;

class Writer {
public:
    bool line(const std::string& text) {
        m_good = m_good && std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                 std::fputc('\n', stdout) != EOF;
        return m_good;
    }
    [[nodiscard]] bool good() const { return m_good; }
    FileLayout file;
    std::uint64_t links = 0;

private:
    bool m_good = true;
};

herr_t findVersion(unsigned, const H5E_error2_t* error, void* found) {
    const std::string_view text = error->desc != nullptr ? error->desc : "";
    if (error->min_num == H5E_VERSION || text.find("version") != std::string_view::npos) {
        *static_cast<bool*>(found) = true;
    }
    return 0;
}

/// Reports what the last call of the library could not do. A version that it does not know is of a
/// newer library rather than damage.
void problem(Writer& writer, const std::string& path, const char* what) {
    bool version = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, findVersion, &version);
    writer.line("{\"problem\":" + quoted(what) + ",\"path\":" + quoted(path) +
                (version ? ",\"version\":true}" : "}"));
}

/// What a soft link names, or an external one: "FILE:/path".
std::string targetOf(hid_t group, const char* name, const H5L_info_t& link) {
    constexpr std::size_t kMaxTarget = 65536;
    if (link.u.val_size == 0 || link.u.val_size > kMaxTarget) {
        return {};
    }
    std::string value(link.u.val_size, '\0');
    if (H5Lget_val(group, name, value.data(), value.size(), H5P_DEFAULT) < 0) {
        return {};
    }
    if (link.type == H5L_TYPE_SOFT) {
        return value.c_str();
    }
    const char* file = nullptr;
    const char* object = nullptr;
    unsigned flags = 0;
    const bool known = link.type == H5L_TYPE_EXTERNAL &&
                       H5Lunpack_elink_val(value.data(), value.size(), &flags, &file, &object) >= 0;
    return known ? std::string(file) + ":" + object : std::string();
}

herr_t writeAttribute(hid_t object, const char* name, const H5A_info_t*, void* data) {
    auto& [writer, path] = *static_cast<std::pair<Writer&, const std::string&>*>(data);
    const Id attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Id type(H5Aget_type(attribute), H5Tclose);
    const Id space(H5Aget_space(attribute), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (attribute < 0 || type < 0 || count < 0 || H5Aget_storage_size(attribute) > kMaxAttribute) {
        return 0;
    }
    std::string value;
    const H5T_class_t kind = H5Tget_class(type);
    const auto elements = static_cast<std::uint64_t>(count);
    if (kind == H5T_STRING && elements <= kMaxStrings) {
        value = textsOf(type, elements, [&](hid_t memory, void* target) {
            return elements == 0 ? 0 : H5Aread(attribute, memory, target);
        });
        value = value.empty() ? "" : ",\"texts\":" + value;
    } else if ((kind == H5T_INTEGER || kind == H5T_FLOAT) && elements <= 4096) {
        std::vector<double> numbers(std::max<std::uint64_t>(elements, 1));
        if (H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers.data()) >= 0) {
            value = ",\"numbers\":[";
            for (std::uint64_t i = 0; i < elements; ++i) {
                char text[40];
                std::snprintf(text, sizeof text, "%s\"%.17g\"", i > 0 ? "," : "", numbers[i]);
                value += text;
            }
            value += "]";
        }
    }
    if (!value.empty()) {
        writer.line("{\"attribute\":" + quoted(name) + ",\"path\":" + quoted(path) + value + "}");
    }
    return writer.good() ? 0 : -1;
}

void writeAttributes(Writer& writer, hid_t object, const std::string& path) {
    std::pair<Writer&, const std::string&> data{writer, path};
    hsize_t at = 0;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, writeAttribute, &data);
}

DatasetShape shapeOf(hid_t space) {
    DatasetShape shape;
    const int rank = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
    if (rank > 0) {
        H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    }
    shape.extents.assign(sizes.begin(), sizes.end());
    shape.none = H5Sget_simple_extent_type(space) == H5S_NULL;
    if (shape.none) {
        shape.extents = {0};
    }
    return shape;
}

void writeDataset(Writer& writer, hid_t dataset, const std::string& path) {
    const Id type(H5Dget_type(dataset), H5Tclose);
    const Id space(H5Dget_space(dataset), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (type < 0 || space < 0 || count < 0) {
        return problem(writer, path, "The type or the shape cannot be read");
    }
    DatasetShape shape = shapeOf(space);
    shape.count = static_cast<std::uint64_t>(count);
    const ElementType element = elementTypeOf(type);
    const std::string layout = layoutOf(writer.file, dataset, type, element, shape);
    if (layout.empty()) {
        return problem(writer, path, "The location of the elements cannot be read");
    }
    shape.extents.insert(shape.extents.end(), element.inner.begin(), element.inner.end());
    writer.line("{\"dataset\":" + quoted(path) + ",\"type\":" + quoted(element.name) +
                ",\"size\":" + std::to_string(element.bytes) +
                (element.bigEndian ? ",\"big_endian\":true" : "") +
                ",\"shape\":" + listOf(shape.extents) + layout + "}");
}

herr_t visit(hid_t group, const char* name, const H5L_info_t* link, void* data) {
    auto& writer = *static_cast<Writer*>(data);
    if (++writer.links > kMaxLinks) {
        return -1;
    }
    const std::string path = name;
    if (link->type != H5L_TYPE_HARD) {
        const char* kind = link->type == H5L_TYPE_SOFT ? "soft" : "external";
        writer.line("{\"link\":" + quoted(kind) + ",\"path\":" + quoted(path) +
                    ",\"target\":" + quoted(targetOf(group, name, *link)) + "}");
        return writer.good() ? 0 : -1;
    }
    const Id object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    if (object < 0) {
        problem(writer, path, "The object cannot be opened");
    } else {
        if (H5Iget_type(object) == H5I_DATASET) {
            writeDataset(writer, object, path);
        }
        writeAttributes(writer, object, path);
    }
    return writer.good() ? 0 : -1;
}

} // namespace

bool writeIndex(hid_t file) {
    Writer writer;
    writeAttributes(writer, file, "");
    const bool all = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, &writer) >= 0;
    if (!all && writer.good()) {
        problem(writer, "", "Not all links can be read");
    }
    return writer.line("{\"end\":true}");
}

} // namespace cairn::hdf5
