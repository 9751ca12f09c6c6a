// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/element_type.h"

#include "core/codec/hdf5/index_text.h"

#include <array>
#include <cstring>

namespace cairn::hdf5 {
namespace {

/// Bit layout of a floating-point type, as H5Tget_fields and H5Tget_ebias report it.
struct FloatBits {
    std::size_t bytes, sign, exponent, exponentBits, mantissa, mantissaBits, bias;
    const char* name;
};
constexpr std::array<FloatBits, 5> kFloats{{{2, 15, 10, 5, 0, 10, 15, "float16"},
                                            {2, 15, 7, 8, 0, 7, 127, "bfloat16"},
                                            {4, 31, 23, 8, 0, 23, 127, "float32"},
                                            {8, 63, 52, 11, 0, 52, 1023, "float64"},
                                            {1, 7, 2, 5, 0, 2, 15, "float8_e5m2"}}};

/// Whether the type uses all bits of its bytes (unlike 12 bits in two bytes).
bool isFull(hid_t type) {
    return H5Tget_offset(type) == 0 && H5Tget_precision(type) == 8 * H5Tget_size(type);
}

bool isKnownOrder(hid_t type) {
    const H5T_order_t order = H5Tget_order(type);
    return order == H5T_ORDER_LE || order == H5T_ORDER_BE || H5Tget_size(type) == 1;
}

const char* floatName(hid_t type) {
    std::size_t sign = 0;
    std::size_t exponent = 0;
    std::size_t exponentBits = 0;
    std::size_t mantissa = 0;
    std::size_t mantissaBits = 0;
    H5Tget_fields(type, &sign, &exponent, &exponentBits, &mantissa, &mantissaBits);
    for (const FloatBits& each : kFloats) {
        if (each.bytes == H5Tget_size(type) && each.sign == sign && each.exponent == exponent &&
            each.exponentBits == exponentBits && each.mantissa == mantissa &&
            each.mantissaBits == mantissaBits && each.bias == H5Tget_ebias(type) &&
            H5Tget_norm(type) == H5T_NORM_IMPLIED && isFull(type) && isKnownOrder(type)) {
            return each.name;
        }
    }
    return "";
}

std::string integerName(hid_t type) {
    if (H5Tget_class(type) != H5T_INTEGER || !isFull(type) || !isKnownOrder(type)) {
        return "";
    }
    return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") +
           std::to_string(8 * H5Tget_size(type));
}

/// h5py's boolean: an enum FALSE = 0, TRUE = 1 in one byte.
bool isBoolean(hid_t type) {
    if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) {
        return false;
    }
    for (unsigned i = 0; i < 2; ++i) {
        char* name = H5Tget_member_name(type, i);
        unsigned char value = 2;
        const bool fits = name != nullptr && std::strcmp(name, i == 0 ? "FALSE" : "TRUE") == 0 &&
                          H5Tget_member_value(type, i, &value) >= 0 && value == i;
        H5free_memory(name);
        if (!fits) {
            return false;
        }
    }
    return true;
}

/// Two floats of one type in sequence: complex numbers of h5py and Keras.
std::string compoundName(hid_t type) {
    if (H5Tget_nmembers(type) != 2) {
        return "compound";
    }
    const Id real(H5Tget_member_type(type, 0), H5Tclose);
    const Id imaginary(H5Tget_member_type(type, 1), H5Tclose);
    const std::size_t half = H5Tget_size(real);
    const bool pair = H5Tget_class(real) == H5T_FLOAT && H5Tequal(real, imaginary) > 0 &&
                      H5Tget_member_offset(type, 0) == 0 && H5Tget_member_offset(type, 1) == half &&
                      H5Tget_size(type) == 2 * half;
    const bool known = pair && half >= 4 && floatName(real)[0] != '\0';
    return known ? "complex" + std::to_string(16 * half) : "compound";
}

std::string nameOf(hid_t type) {
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return integerName(type);
    case H5T_FLOAT:
        return floatName(type);
    case H5T_ENUM: {
        const Id base(H5Tget_super(type), H5Tclose);
        return isBoolean(type) ? "bool" : integerName(base);
    }
    case H5T_STRING:
        return "string";
    case H5T_OPAQUE:
        return "opaque" + std::to_string(H5Tget_size(type));
    case H5T_COMPOUND:
        return compoundName(type);
    case H5T_VLEN:
        return "variable";
    case H5T_REFERENCE:
        return "reference";
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

} // namespace

ElementType elementTypeOf(hid_t type) {
    ElementType result;
    result.inHeap = H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tdetect_class(type, H5T_REFERENCE) > 0;
    if (H5Tget_class(type) == H5T_ARRAY) {
        const int rank = H5Tget_array_ndims(type);
        std::vector<hsize_t> sizes(rank > 0 ? static_cast<std::size_t>(rank) : 0);
        const Id base(H5Tget_super(type), H5Tclose);
        if (rank > 0 && base >= 0 && H5Tget_array_dims2(type, sizes.data()) == rank) {
            ElementType inner = elementTypeOf(base);
            sizes.insert(sizes.end(), inner.inner.begin(), inner.inner.end());
            inner.inner.assign(sizes.begin(), sizes.end());
            inner.inHeap = inner.inHeap || result.inHeap || inner.name == "string";
            return inner;
        }
    }
    result.name = nameOf(type);
    result.bytes = H5Tget_size(type);
    result.bigEndian = isBigEndian(type);
    return result;
}

} // namespace cairn::hdf5
