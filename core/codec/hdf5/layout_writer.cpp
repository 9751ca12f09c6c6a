// SPDX-License-Identifier: Apache-2.0
//
// Datasets are contiguous, allocated when they are created, and never filled: so the library
// decides where each has its elements and writes none of them. The file is as h5py makes it: the
// oldest format version that can store it, no times, names in UTF-8.
#include "core/codec/hdf5/layout_writer.h"

#include "core/codec/hdf5/index_text.h"
#include "core/codec/hdf5/page_driver.h"

#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace cairn::hdf5 {
namespace {

struct Wanted {
    std::string type;
    std::vector<hsize_t> shape;
    std::string path;
    std::string name; ///< of a group, whose type is kGroupName
};

constexpr std::string_view kGroupName = "name";

/// Takes the word or number before the next space.
std::string_view word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view found = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return found;
}

std::optional<std::uint64_t> number(std::string_view& text) {
    const std::string_view digits = word(text);
    std::uint64_t value = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = end.ec == std::errc() && end.ptr == digits.data() + digits.size();
    return whole ? std::optional(value) : std::nullopt;
}

std::optional<Wanted> nextWanted(std::string_view& text) {
    Wanted wanted;
    wanted.type = word(text);
    const auto rank = number(text);
    if (!rank || *rank > H5S_MAX_RANK) {
        return std::nullopt;
    }
    for (std::uint64_t d = 0; d < *rank; ++d) {
        const auto extent = number(text);
        if (!extent) {
            return std::nullopt;
        }
        wanted.shape.push_back(*extent);
    }
    const auto length = number(text);
    if (!length || *length > text.size()) {
        return std::nullopt;
    }
    wanted.path = text.substr(0, static_cast<std::size_t>(*length));
    text.remove_prefix(static_cast<std::size_t>(*length));
    if (wanted.type == kGroupName) {
        const auto named = number(text);
        if (!named || *named > text.size()) {
            return std::nullopt;
        }
        wanted.name = text.substr(0, static_cast<std::size_t>(*named));
        text.remove_prefix(static_cast<std::size_t>(*named));
    }
    return wanted;
}

hid_t copied(hid_t type) {
    return H5Tcopy(type);
}

hid_t boolType() {
    const hid_t type = H5Tenum_create(H5T_STD_I8LE);
    const signed char no = 0;
    const signed char yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    return type;
}

hid_t complexType(hid_t part) {
    const std::size_t bytes = H5Tget_size(part);
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    H5Tinsert(type, "r", 0, part);
    H5Tinsert(type, "i", bytes, part);
    return type;
}

hid_t halfType() {
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    return type;
}

hid_t typeOf(const std::string& name) {
    if (name == "float64") {
        return copied(H5T_IEEE_F64LE);
    }
    if (name == "float32") {
        return copied(H5T_IEEE_F32LE);
    }
    if (name == "float16") {
        return halfType();
    }
    if (name == "bfloat16") {
        return H5Tcreate(H5T_OPAQUE, 2);
    }
    if (name == "bool") {
        return boolType();
    }
    if (name == "complex64") {
        return complexType(H5T_IEEE_F32LE);
    }
    if (name == "complex128") {
        return complexType(H5T_IEEE_F64LE);
    }
    struct Integer {
        const char* name;
        hid_t type;
    };
    const Integer integers[] = {{"int8", H5T_STD_I8LE},   {"uint8", H5T_STD_U8LE},
                                {"int16", H5T_STD_I16LE}, {"uint16", H5T_STD_U16LE},
                                {"int32", H5T_STD_I32LE}, {"uint32", H5T_STD_U32LE},
                                {"int64", H5T_STD_I64LE}, {"uint64", H5T_STD_U64LE}};
    for (const Integer& integer : integers) {
        if (name == integer.name) {
            return copied(integer.type);
        }
    }
    return -1;
}

bool addText(hid_t object, const char* name, const char* text) {
    const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    if (type < 0 || H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0) {
        return false;
    }
    const Id attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
}

/// A group that is there already is opened, else made.
bool nameGroup(hid_t file, const Wanted& wanted) {
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    const Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    if (H5Pset_create_intermediate_group(links, 1) < 0 ||
        H5Pset_char_encoding(links, H5T_CSET_UTF8) < 0 ||
        H5Pset_obj_track_times(creation, false) < 0) {
        return false;
    }
    const char* path = wanted.path.c_str();
    const hid_t known = H5Gopen2(file, path, H5P_DEFAULT);
    const Id group(known >= 0 ? known : H5Gcreate2(file, path, links, creation, H5P_DEFAULT),
                   H5Gclose);
    return group >= 0 && addText(group, "name", wanted.name.c_str());
}

/// The offset of its elements; HADDR_UNDEF if it has none. Empty: the library refused.
std::optional<haddr_t> addDataset(hid_t file, const Wanted& wanted) {
    const Id type(typeOf(wanted.type), H5Tclose);
    const auto rank = static_cast<int>(wanted.shape.size());
    const Id space(rank == 0 ? H5Screate(H5S_SCALAR)
                             : H5Screate_simple(rank, wanted.shape.data(), nullptr),
                   H5Sclose);
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    const Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const bool set = type >= 0 && space >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0 &&
                     H5Pset_char_encoding(links, H5T_CSET_UTF8) >= 0 &&
                     H5Pset_layout(creation, H5D_CONTIGUOUS) >= 0 &&
                     H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
                     H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 &&
                     H5Pset_obj_track_times(creation, false) >= 0;
    if (!set) {
        return std::nullopt;
    }
    const Id dataset(
        H5Dcreate2(file, wanted.path.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose);
    // Keras recognises bfloat16 by an attribute.
    if (dataset < 0 || (wanted.type == "bfloat16" && !addText(dataset, "dtype", "bfloat16"))) {
        return std::nullopt;
    }
    return H5Dget_offset(dataset);
}

bool print(const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
}

} // namespace

bool writeLayout(std::string_view text) {
    const Id access(pageAccess(), H5Pclose);
    const hid_t file = access < 0 ? -1 : H5Fcreate("file", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (file < 0) {
        return false;
    }
    std::string offsets;
    while (!text.empty()) {
        const auto wanted = nextWanted(text);
        if (wanted && wanted->type == kGroupName) {
            if (!nameGroup(file, *wanted)) {
                return false;
            }
            continue;
        }
        const auto offset = wanted ? addDataset(file, *wanted) : std::nullopt;
        if (!offset) {
            return false;
        }
        offsets += "dataset " + std::to_string(*offset == HADDR_UNDEF ? 0 : *offset) + "\n";
    }
    if (H5Fclose(file) < 0 || !print(offsets + "size " + std::to_string(pagedFile().size) + "\n")) {
        return false;
    }
    for (const auto& [offset, page] : pagedFile().pages) {
        if (!print("page " + std::to_string(offset) + "\n") ||
            std::fwrite(page.data(), 1, page.size(), stdout) != page.size()) {
            return false;
        }
    }
    return print("end\n");
}

} // namespace cairn::hdf5
