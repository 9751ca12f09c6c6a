// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/index_writer.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::hdf5 {
namespace {

constexpr std::uint64_t kMaxChunks = 2'000'000;
constexpr std::uint64_t kMaxStrings = 1'000'000;
constexpr std::uint64_t kMaxAttribute = std::uint64_t{16} << 20U;
constexpr std::uint64_t kMaxCompact = 65536;
constexpr std::uint64_t kMaxLinks = 2'000'000;

/// Closes an identifier of the library.
class Id {
public:
    Id(hid_t id, herr_t (*close)(hid_t)) : m_id(id), m_close(close) {}
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    ~Id() {
        if (m_id >= 0) {
            m_close(m_id);
        }
    }
    operator hid_t() const { return m_id; }

private:
    hid_t m_id;
    herr_t (*m_close)(hid_t);
};

std::string quoted(std::string_view text) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte >= 0x7f) { // bytes as they are, each as one code point
            out += "\\u00";
            out += kDigits[byte >> 4U];
            out += kDigits[byte & 15U];
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string hex(const void* data, std::size_t size) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::string out;
    out.reserve(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
        out += kDigits[bytes[i] >> 4U];
        out += kDigits[bytes[i] & 15U];
    }
    return out;
}

template <typename T> std::string listOf(const std::vector<T>& numbers) {
    std::string out = "[";
    for (const T number : numbers) {
        out += (out.size() > 1 ? "," : "") + std::to_string(number);
    }
    return out + "]";
}

bool isBoolean(hid_t type) {
    if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) {
        return false;
    }
    for (unsigned i = 0; i < 2; ++i) {
        char* name = H5Tget_member_name(type, i);
        const bool fits = name != nullptr && std::strcmp(name, i == 0 ? "FALSE" : "TRUE") == 0;
        H5free_memory(name);
        if (!fits) {
            return false;
        }
    }
    return true;
}

/// "float32", "opaque2", "string": what the elements are, "" for what is not known.
std::string typeName(hid_t type) {
    const std::string bits = std::to_string(8 * H5Tget_size(type));
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_FLOAT: {
        std::size_t sign = 0;
        std::size_t exponent = 0;
        std::size_t exponentBits = 0;
        std::size_t mantissa = 0;
        std::size_t mantissaBits = 0;
        H5Tget_fields(type, &sign, &exponent, &exponentBits, &mantissa, &mantissaBits);
        return H5Tget_size(type) == 2 && exponentBits == 8 ? "bfloat16" : "float" + bits;
    }
    case H5T_ENUM:
        return isBoolean(type) ? "bool" : "int" + bits;
    case H5T_STRING:
        return "string";
    case H5T_OPAQUE:
        return "opaque" + std::to_string(H5Tget_size(type));
    case H5T_COMPOUND:
        return H5Tget_nmembers(type) == 2 && (bits == "64" || bits == "128") &&
                       H5Tget_member_class(type, 0) == H5T_FLOAT &&
                       H5Tget_member_class(type, 1) == H5T_FLOAT
                   ? "complex" + bits
                   : "compound";
    case H5T_VLEN:
        return "variable";
    default:
        return "";
    }
}

bool isBigEndian(hid_t type) {
    if (H5Tget_class(type) == H5T_COMPOUND) {
        const Id member(H5Tget_member_type(type, 0), H5Tclose);
        return H5Tget_order(member) == H5T_ORDER_BE;
    }
    return H5Tget_order(type) == H5T_ORDER_BE;
}

std::vector<std::uint64_t> extentsOf(hid_t space) {
    const int rank = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
    if (rank > 0) {
        H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    }
    return {sizes.begin(), sizes.end()};
}

/// Texts of a dataset or attribute, in hexadecimal digits each; "" if they cannot be read.
template <typename Read> std::string textsOf(hid_t type, std::uint64_t count, const Read& read) {
    std::string out = "[";
    if (H5Tis_variable_str(type) > 0) {
        const Id memory(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(memory, H5T_VARIABLE);
        H5Tset_cset(memory, H5Tget_cset(type));
        std::vector<char*> texts(count, nullptr);
        if (read(static_cast<hid_t>(memory), static_cast<void*>(texts.data())) < 0) {
            return "";
        }
        for (char* text : texts) {
            const std::size_t size = text == nullptr ? 0 : std::strlen(text);
            out += (out.size() > 1 ? ",\"" : "\"") + hex(text, size) + "\"";
            H5free_memory(text);
        }
        return out + "]";
    }
    const std::size_t size = H5Tget_size(type);
    if (size == 0 || count > kMaxAttribute / size) {
        return "";
    }
    std::vector<char> bytes(size * count);
    if (read(type, static_cast<void*>(bytes.data())) < 0) {
        return "";
    }
    const bool padded = H5Tget_strpad(type) != H5T_STR_SPACEPAD;
    for (std::uint64_t i = 0; i < count; ++i) {
        const char* text = bytes.data() + i * size;
        const std::size_t length = padded ? ::strnlen(text, size) : size;
        out += (out.size() > 1 ? ",\"" : "\"") + hex(text, length) + "\"";
    }
    return out + "]";
}

class Writer {
public:
    bool line(const std::string& text) {
        m_good = m_good && std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                 std::fputc('\n', stdout) != EOF;
        return m_good;
    }
    [[nodiscard]] bool good() const { return m_good; }
    std::uint64_t chunks = 0;
    std::uint64_t links = 0;

private:
    bool m_good = true;
};

void problem(Writer& writer, const std::string& path, const char* what) {
    writer.line("{\"problem\":" + quoted(what) + ",\"path\":" + quoted(path) + "}");
}

std::string filtersOf(hid_t creation) {
    std::string out = "[";
    const int count = H5Pget_nfilters(creation);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0;
        unsigned config = 0;
        std::size_t size = 32;
        std::vector<unsigned> values(size);
        const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags,
                                                   &size, values.data(), 0, nullptr, &config);
        values.resize(std::min<std::size_t>(size, values.size()));
        out += (i > 0 ? "," : "") + std::string("[") + std::to_string(filter);
        for (const unsigned value : values) {
            out += "," + std::to_string(value);
        }
        out += "]";
    }
    return out + "]";
}

/// The chunks that are there, by going through the grid: looking one up is quick, listing is not.
std::string chunksOf(Writer& writer, hid_t dataset, const std::vector<std::uint64_t>& shape,
                     const std::vector<hsize_t>& chunk) {
    std::string out = "[";
    std::vector<hsize_t> origin(shape.size(), 0);
    const bool empty = std::find(shape.begin(), shape.end(), 0U) != shape.end();
    for (bool more = !empty; more;) {
        if (++writer.chunks > kMaxChunks) {
            return "";
        }
        unsigned mask = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        if (H5Dget_chunk_info_by_coord(dataset, origin.data(), &mask, &address, &size) < 0) {
            return "";
        }
        if (address != HADDR_UNDEF && size > 0) {
            out += (out.size() > 1 ? "," : "") + std::string("[") + std::to_string(address) + "," +
                   std::to_string(size) + "," + std::to_string(mask);
            for (const hsize_t at : origin) {
                out += "," + std::to_string(at);
            }
            out += "]";
        }
        more = false;
        for (std::size_t d = shape.size(); d-- > 0 && !more;) {
            origin[d] += chunk[d];
            more = origin[d] < shape[d];
            if (!more) {
                origin[d] = 0;
            }
        }
    }
    return out + "]";
}

std::string chunkedLayout(Writer& writer, hid_t dataset, hid_t creation,
                          const std::vector<std::uint64_t>& shape) {
    std::vector<hsize_t> chunk(shape.size(), 0);
    const int rank = H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
    const bool fits = rank == static_cast<int>(shape.size()) &&
                      std::find(chunk.begin(), chunk.end(), 0U) == chunk.end();
    const std::string chunks = fits ? chunksOf(writer, dataset, shape, chunk) : "";
    if (chunks.empty()) {
        return "";
    }
    return ",\"layout\":\"chunked\",\"chunk\":" + listOf(chunk) +
           ",\"filters\":" + filtersOf(creation) + ",\"chunks\":" + chunks;
}

std::string compactLayout(hid_t dataset, hid_t type, std::uint64_t bytes) {
    if (bytes > kMaxCompact) {
        return "";
    }
    std::vector<char> data(std::max<std::uint64_t>(bytes, 1));
    if (bytes > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0) {
        return "";
    }
    return ",\"layout\":\"compact\",\"data\":\"" + hex(data.data(), bytes) + "\"";
}

std::string layoutOf(Writer& writer, hid_t dataset, hid_t type, const std::string& kind,
                     const std::vector<std::uint64_t>& shape, std::uint64_t count) {
    const Id creation(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_external_count(creation) > 0) {
        return ",\"layout\":\"external\"";
    }
    if (kind == "string") {
        const std::string texts =
            count > kMaxStrings ? "" : textsOf(type, count, [&](hid_t memory, void* target) {
                return count == 0 ? 0
                                  : H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, target);
            });
        return texts.empty() ? "" : ",\"layout\":\"strings\",\"texts\":" + texts;
    }
    switch (H5Pget_layout(creation)) {
    case H5D_CONTIGUOUS: {
        const haddr_t address = H5Dget_offset(dataset);
        const bool there = address != HADDR_UNDEF;
        return std::string(",\"layout\":\"contiguous\"") +
               (there ? ",\"address\":" + std::to_string(address) : "");
    }
    case H5D_CHUNKED:
        return chunkedLayout(writer, dataset, creation, shape);
    case H5D_COMPACT:
        return compactLayout(dataset, type, count * H5Tget_size(type));
    case H5D_VIRTUAL:
        return ",\"layout\":\"virtual\"";
    default:
        return "";
    }
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

void writeDataset(Writer& writer, hid_t dataset, const std::string& path) {
    const Id type(H5Dget_type(dataset), H5Tclose);
    const Id space(H5Dget_space(dataset), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (type < 0 || space < 0 || count < 0) {
        return problem(writer, path, "The type or the shape cannot be read");
    }
    const std::string kind = typeName(type);
    const std::vector<std::uint64_t> shape = extentsOf(space);
    const bool none = H5Sget_simple_extent_type(space) == H5S_NULL;
    const std::string layout =
        none ? ",\"layout\":\"contiguous\""
             : layoutOf(writer, dataset, type, kind, shape, static_cast<std::uint64_t>(count));
    if (layout.empty()) {
        return problem(writer, path, "The place of the elements cannot be read");
    }
    writer.line("{\"dataset\":" + quoted(path) + ",\"type\":" + quoted(kind) +
                ",\"size\":" + std::to_string(H5Tget_size(type)) +
                (isBigEndian(type) ? ",\"big_endian\":true" : "") +
                ",\"shape\":" + (none ? "[0]" : listOf(shape)) + layout + "}");
}

herr_t visit(hid_t group, const char* name, const H5L_info_t* link, void* data) {
    auto& writer = *static_cast<Writer*>(data);
    if (++writer.links > kMaxLinks) {
        return -1;
    }
    const std::string path = name;
    if (link->type != H5L_TYPE_HARD) {
        const char* kind = link->type == H5L_TYPE_SOFT ? "soft" : "external";
        writer.line("{\"link\":" + quoted(kind) + ",\"path\":" + quoted(path) + "}");
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
