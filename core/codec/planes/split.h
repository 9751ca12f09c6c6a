// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

/// Bytes of equal weight brought together: plane 0 holds the lowest byte of every element, the last
/// plane the highest. Highway, chosen at run time; pure, any thread.
namespace cairn::planes {

/// How elements are taken apart.
struct ElementForm {
    std::size_t bytes = 1; ///< of an element: 1, 2, 4 or 8; planes are as many
    /// Floats: every element is first rotated left by one bit, so that the exponent's bits fill the
    /// highest plane and the sign, which nothing predicts, joins the mantissa.
    bool rotate = false;
    friend bool operator==(const ElementForm&, const ElementForm&) = default;
};

/// REQUIRES: elements.size() == planes.size(), a multiple of form.bytes; the two do not overlap.
void split(ElementForm form, std::span<const std::byte> elements, std::span<std::byte> planes);
/// The way back.
void join(ElementForm form, std::span<const std::byte> planes, std::span<std::byte> elements);

/// Steps from one state of the elements to the next: the difference of their bits as integers that
/// wrap around, sign in the lowest bit (0, -1, 1, -2 … become 0, 1, 2, 3 …). Small changes of
/// floats are small numbers. `elements` become the steps from `earlier`. `width`: bytes of an
/// element, as in ElementForm. REQUIRES: equal sizes, whole elements.
void toSteps(std::size_t width, std::span<std::byte> elements, std::span<const std::byte> earlier);
/// The way back: `steps` become the elements.
void takeSteps(std::size_t width, std::span<std::byte> steps, std::span<const std::byte> earlier);

} // namespace cairn::planes
