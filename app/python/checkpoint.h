// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace cairn::python {

/// `StoredCheckpoint` and `open`. REQUIRES: bindTensor().
void bindCheckpoint(nanobind::module_& module);

} // namespace cairn::python
