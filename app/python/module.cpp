// SPDX-License-Identifier: Apache-2.0
#include "app/python/checkpoint.h"
#include "app/python/documents.h"
#include "app/python/errors.h"
#include "app/python/tensor.h"
#include "core/store/ssh_store.h"

#include <nanobind/nanobind.h>

NB_MODULE(_core, module) {
    module.doc() = "The core of Cairn. Use the package cairn; this module may change at any time.";
    module.attr("version") = CAIRN_VERSION;
    cairn::store::useSsh(CAIRN_VERSION);
    cairn::python::registerErrors();
    cairn::python::bindTensor(module);
    cairn::python::bindCheckpoint(module);
    cairn::python::bindDocuments(module);
}
