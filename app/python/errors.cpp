// SPDX-License-Identifier: Apache-2.0
#include "app/python/errors.h"

#include <string>
#include <string_view>

namespace nb = nanobind;

namespace cairn::python {
namespace {

nb::object textOrNone(const std::string& text) {
    return text.empty() ? nb::none() : textOf(text);
}

void raise(const Error& error) {
    if (error.code == ErrorCode::Cancelled) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        return;
    }
    const nb::object make = nb::module_::import_("cairn._errors").attr("make_error");
    const nb::object exception = make(**errorFields(error));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
        try {
            raise(failure.error);
        } catch (nb::python_error& broken) { // no memory, or a broken installation
            broken.restore();
        }
    }
}

} // namespace

nb::object textOf(std::string_view text) {
    return nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

nb::dict errorFields(const Error& error) {
    nb::dict fields;
    fields["code"] = textOf(errorName(error.code));
    fields["message"] = textOf(error.message.text());
    fields["file"] = textOrNone(error.where.file);
    fields["offset"] = error.where.offset ? nb::object(nb::int_(*error.where.offset)) : nb::none();
    fields["tensor"] = textOrNone(error.where.tensor);
    fields["field"] = textOrNone(error.where.field);
    fields["found"] = textOrNone(error.found.text());
    fields["expected"] = textOrNone(error.expected.text());
    fields["hint"] = textOrNone(error.hint.text());
    return fields;
}

void registerErrors() {
    nb::register_exception_translator(translate);
}

} // namespace cairn::python
