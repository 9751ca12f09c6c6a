// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace cairn::python {

/// `run_verb` and `verbs`: the verbs of the command line, which write JSON documents.
void bindDocuments(nanobind::module_& module);

} // namespace cairn::python
