// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

/// Byte planes: plane 0 contains the lowest byte of every element, the last plane the highest.
/// Highway selects the instruction set at run time. Pure; any thread.
namespace cairn::planes {

/// How elements are split.
struct ElementForm {
    std::size_t bytes = 1; ///< of an element: 1, 2, 4 or 8; also the number of planes
    /// Floats: every element is first rotated left by one bit, so that the exponent's bits fill the
    /// highest plane and the sign, which is unpredictable, joins the mantissa.
    bool rotate = false;
    friend bool operator==(const ElementForm&, const ElementForm&) = default;
};

/// REQUIRES: elements.size() == planes.size(), a multiple of form.bytes; the two do not overlap.
void split(ElementForm form, std::span<const std::byte> elements, std::span<std::byte> planes);
/// Inverse of split().
void join(ElementForm form, std::span<const std::byte> planes, std::span<std::byte> elements);

/// Replaces `elements` by their steps from `earlier`: the difference of the bits as wrapping
/// integers, sign in the lowest bit (0, -1, 1, -2 … become 0, 1, 2, 3 …). Small changes of floats
/// become small numbers. `width`: bytes of an element, as in ElementForm. REQUIRES: equal sizes,
/// complete elements.
void toSteps(std::size_t width, std::span<std::byte> elements, std::span<const std::byte> earlier);
/// Inverse of toSteps(): `steps` become the elements.
void takeSteps(std::size_t width, std::span<std::byte> steps, std::span<const std::byte> earlier);

} // namespace cairn::planes
