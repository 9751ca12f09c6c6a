// SPDX-License-Identifier: Apache-2.0
#include "app/python/checkpoint.h"

#include "app/cli/opened.h"
#include "app/python/errors.h"
#include "app/python/tensor.h"
#include "app/python/values.h"
#include "app/python/watched.h"
#include "core/runs/facts/position_decision.h"

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace nb = nanobind;

namespace cairn::python {
namespace {

/// An opened PATH#subtree for the class Checkpoint in cairn/_checkpoint.py. Immutable; any thread.
class StoredCheckpoint {
public:
    explicit StoredCheckpoint(cli::Opened opened) : m_opened(std::move(opened)) {}

    static StoredCheckpoint open(const nb::bytes& named) {
        const std::string path(named.c_str(), named.size());
        const CancelToken cancel;
        return StoredCheckpoint(
            watched(cancel, [&] { return unwrap(cli::openPath(path, cancel)); }));
    }

    [[nodiscard]] const Checkpoint& checkpoint() const { return *m_opened.checkpoint; }
    [[nodiscard]] const cli::Opened& opened() const { return m_opened; }

    [[nodiscard]] nb::list names() const {
        nb::list names;
        for (const TensorIndex index : m_opened.tensors) {
            names.append(textOf(checkpoint().tensor(index).name));
        }
        return names;
    }

    [[nodiscard]] std::optional<StoredTensor> find(const nb::bytes& name) const {
        const auto index = checkpoint().find(std::string_view(name.c_str(), name.size()));
        if (!index || !(m_opened.whole() ||
                        std::ranges::find(m_opened.tensors, *index) != m_opened.tensors.end())) {
            return std::nullopt;
        }
        return StoredTensor(m_opened.checkpoint, *index);
    }

    [[nodiscard]] nb::object values() const {
        const CancelToken cancel;
        const LoadedValues loaded =
            watched(cancel, [&] { return unwrap(loadValues(checkpoint(), cancel)); });
        return valuesOf(checkpoint(), loaded);
    }

    [[nodiscard]] nb::tuple position() const {
        const CancelToken cancel;
        const TrainingPosition found =
            watched(cancel, [&] { return trainingPosition(checkpoint(), cancel); });
        return nb::make_tuple(found.step ? nb::object(nb::int_(*found.step)) : nb::none(),
                              found.epoch ? nb::object(nb::float_(*found.epoch)) : nb::none());
    }

    /// As in the documents: {strength, id, says, where}.
    [[nodiscard]] nb::list positionEvidence() const {
        const CancelToken cancel;
        const RecordedTraining training =
            watched(cancel, [&] { return recordedTraining(checkpoint(), cancel); });
        nb::list evidence;
        for (const Evidence& each : cairn::positionEvidence(training, checkpoint().path())) {
            nb::dict where;
            where["file"] = textOf(each.where.file.string());
            if (!each.where.field.empty()) {
                where["field"] = textOf(each.where.field);
            }
            nb::dict item;
            item["strength"] = textOf(strengthName(each.strength));
            item["id"] = textOf(each.id);
            item["says"] = textOf(each.says.text());
            item["where"] = where;
            evidence.append(item);
        }
        return evidence;
    }

    /// Notices as the arguments of cairn.Notice.
    [[nodiscard]] nb::list notices() const {
        nb::list notices;
        for (const Notice& notice : checkpoint().notices()) {
            nb::dict fields = errorFields(notice.error);
            fields["severity"] = textOf(severityName(notice.severity));
            notices.append(fields);
        }
        return notices;
    }

    [[nodiscard]] nb::list files() const {
        nb::list files;
        for (const CheckpointFile& file : checkpoint().files()) {
            nb::dict item;
            item["path"] = textOf(file.path);
            item["bytes"] = file.identity.size;
            item["missing"] = file.missing;
            files.append(item);
        }
        return files;
    }

    [[nodiscard]] nb::list why() const {
        nb::list reasons;
        for (const Sentence& reason : checkpoint().why()) {
            reasons.append(textOf(reason.text()));
        }
        return reasons;
    }

private:
    cli::Opened m_opened;
};

} // namespace

void bindCheckpoint(nb::module_& module) {
    using Self = StoredCheckpoint;
    nb::class_<Self>(module, "StoredCheckpoint", "The index of an opened checkpoint.")
        .def_prop_ro(
            "path", [](const Self& self) { return textOf(self.opened().path); },
            nb::sig("def path(self) -> str"))
        .def_prop_ro(
            "member", [](const Self& self) { return textOf(self.opened().member); },
            nb::sig("def member(self) -> str"), "The part after `#`; empty: all of it.")
        .def_prop_ro(
            "format", [](const Self& self) { return textOf(self.checkpoint().format()); },
            nb::sig("def format(self) -> str"))
        .def_prop_ro(
            "framework", [](const Self& self) { return textOf(self.checkpoint().framework()); },
            nb::sig("def framework(self) -> str"), "Empty: unknown.")
        .def_prop_ro(
            "state",
            [](const Self& self) {
                return textOf(completenessName(self.checkpoint().completeness()));
            },
            nb::sig("def state(self) -> str"))
        .def("__len__", [](const Self& self) { return self.opened().tensors.size(); })
        .def("names", &Self::names, nb::sig("def names(self) -> list[str]"))
        .def("find", &Self::find, nb::arg("name"), "The tensor with that name, in UTF-8.")
        .def("values", &Self::values, nb::sig("def values(self) -> object"),
             "The plain values; reads them.")
        .def("position", &Self::position,
             nb::sig("def position(self) -> tuple[int | None, float | None]"),
             "Step and epoch of the training.")
        .def("position_evidence", &Self::positionEvidence,
             nb::sig("def position_evidence(self) -> list[dict[str, object]]"),
             "The evidence for step and epoch in the values.")
        .def("notices", &Self::notices, nb::sig("def notices(self) -> list[dict[str, object]]"))
        .def("files", &Self::files, nb::sig("def files(self) -> list[dict[str, object]]"))
        .def("why", &Self::why, nb::sig("def why(self) -> list[str]"), "Reasons for the state.");
    module.def(
        "open", &Self::open, nb::arg("path"),
        "Opens a checkpoint; reads its index only. The path is as os.fsencode() returns it.");
}

} // namespace cairn::python
