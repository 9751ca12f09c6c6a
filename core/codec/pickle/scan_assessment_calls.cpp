// SPDX-License-Identifier: Apache-2.0
#include "core/base/visible_text.h"
#include "core/codec/pickle/scan_assessment.h"
#include "core/codec/pickle/scan_rules.h"

#include <algorithm>
#include <optional>

// What Python does with the values of a pickle: it calls, it gives arguments to what it calls, it
// sets states, it fills containers and hashes their keys.

namespace cairn::pickle {
namespace {

constexpr int kMaxCalls = 16; ///< of functions that are given to functions

std::string fullName(GlobalName name) {
    return visibleText(std::string(name.module) + "." + std::string(name.name));
}

bool isLiteral(NodeKind kind) {
    return kind == NodeKind::List || kind == NodeKind::Tuple || kind == NodeKind::Set ||
           kind == NodeKind::FrozenSet || kind == NodeKind::Dict;
}

/// Types of the language whose constructors do not call what they are given.
bool isBaseType(GlobalName name) {
    return name.module == "builtins" &&
           listed("object int float complex str bytes bytearray list tuple dict set frozenset",
                  name.name);
}

/// Iterates, converts or compares what it is given.
bool usesMethods(std::optional<Known> known) {
    return known == Known::Maker || known == Known::Array || known == Known::Sequence ||
           known == Known::Set || known == Known::Mapping || known == Known::Bag;
}

/// The last part is an identifier in capitals, the usual form of enum members.
bool isMemberName(std::string_view name) {
    name.remove_prefix(name.rfind('.') + 1);
    return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
           std::string_view::npos;
}

} // namespace

void PickleAssessment::assessObject(NodeId id) {
    const NodeId callable = m_graph.callable(id);
    if (m_graph.kind(callable) == NodeKind::PersistentId) {
        find(Verdict::UnknownClass,
             "An instance is created of a class that is only named by a persistent id");
        return;
    }
    Facts* callee = named(callable);
    const bool member = m_graph.kind(callable) == NodeKind::Object && callee != nullptr &&
                        isMemberName(callee->name.name); // of an enum: not a class
    if (callee == nullptr || member) {
        find(Verdict::WouldRunCode, "Python would call an object that the pickle computes");
        return;
    }
    const NodeId args = m_graph.args(id);
    const MadeBy by = m_graph.madeBy(id);
    const bool created = by == MadeBy::NewObj || by == MadeBy::NewObjEx;
    if (callee->known == Known::Special) {
        assessSpecial(id, *callee);
    } else {
        assessCall(*callee, m_graph.items(args), created ? Use::Instantiated : Use::Called);
    }
    if (m_graph.kind(args) != NodeKind::Tuple && (callee->known || callee->closed)) {
        find(Verdict::WouldRunCode,
             sentence("The pickle computes the arguments of %1", fullName(callee->name)));
    }
    assessRead(*callee, m_graph.kwargs(id));
    Facts& made = makerOf(id, *callee);
    for (const NodeId state : m_graph.states(id)) {
        assessState(made, id, state);
    }
    assessContents(made, id);
}

void PickleAssessment::assessCall(Facts& callee, std::span<const NodeId> args, Use how) {
    use(callee, how);
    for (std::size_t i = 0; i < args.size(); ++i) {
        assessArgument(callee, callee.roles[std::min(i, kRoles - 1)], args[i], args);
    }
}

void PickleAssessment::assessArgument(Facts& callee, Role role, NodeId arg,
                                      std::span<const NodeId> args) {
    switch (role) {
    case Role::Read:
        assessRead(callee, arg);
        break;
    case Role::Stored:
        assessStored(callee, arg);
        break;
    case Role::Kept:
    case Role::Called:
    case Role::Applied:
        assessFunction(callee, arg, role);
        break;
    case Role::Arguments:
        assessArguments(callee, named(args[0]), arg);
        break;
    case Role::New:
        assessClass(arg, Use::Instantiated);
        break;
    case Role::Subtype:
        assessClass(arg, Use::Mentioned);
        break;
    case Role::Loaded:
        m_loaded.push_back(arg);
        break;
    case Role::Codec:
        assessCodec(arg);
        break;
    }
}

/// The arguments with which a function is called that is an argument itself.
void PickleAssessment::assessArguments(Facts& by, Facts* function, NodeId arguments) {
    if (function == nullptr || function->known == Known::Special || m_calls == kMaxCalls ||
        m_graph.kind(arguments) != NodeKind::Tuple) {
        fails(by);
        return;
    }
    ++m_calls;
    assessCall(*function, m_graph.items(arguments), Use::Called);
    --m_calls;
}

/// A function that `by` calls, or keeps to be called later: then only what it is counts, and a
/// function of an unknown package is as unknown as elsewhere.
void PickleAssessment::assessFunction(Facts& by, NodeId function, Role role) {
    Facts* facts = named(function);
    if (facts == nullptr) {
        if (m_graph.kind(function) == NodeKind::Object && role != Role::Kept) {
            assessRead(by, function);
        }
        return;
    }
    const bool assessed = std::ranges::find(by.roles, Role::Arguments) != by.roles.end();
    if (facts->known == Known::Special ||
        (role == Role::Applied && !assessed && appliesArguments(facts->roles))) {
        fails(*facts);
    } else if (role != Role::Kept || facts->closed || executes(facts->name)) {
        use(*facts, Use::Called);
    }
}

void PickleAssessment::assessClass(NodeId type, Use how) {
    if (Facts* facts = named(type)) {
        use(*facts, how);
    } else if (m_graph.kind(type) == NodeKind::Object && how != Use::Mentioned) {
        find(Verdict::WouldRunCode, "Python would call an object that the pickle computes");
    } else if (m_graph.kind(type) == NodeKind::Object ||
               m_graph.kind(type) == NodeKind::PersistentId) {
        find(Verdict::UnknownClass, "An instance is created of a class that the pickle computes");
    }
}

/// Codecs other than these run code of a package or of a module with that name.
void PickleAssessment::assessCodec(NodeId codec) {
    const bool text = m_graph.kind(codec) == NodeKind::Str;
    const std::string_view name = m_graph.text(codec);
    if (text ? !listed("latin1 latin-1 utf-8 utf8 ascii iso-8859-1", name)
             : m_graph.kind(codec) == NodeKind::Object) {
        find(Verdict::WouldRunCode, sentence("Python would run the codec %1", visibleText(name)));
    }
}

/// A value of which the call may use any method.
void PickleAssessment::assessRead(Facts& by, NodeId value) {
    if (m_code.empty() && m_active.empty()) {
        return;
    }
    const bool elements = by.known == Known::Sequence || by.known == Known::Set ||
                          by.known == Known::Mapping || by.known == Known::Record;
    if (elements && isLiteral(m_graph.kind(value))) {
        assessElements(by, value);
        return;
    }
    assessFunctions(by, value);
    if (by.closed && usesMethods(by.known) && !has(Trait::Code, value) &&
        has(Trait::Active, value)) {
        find(Verdict::WouldRunCode,
             sentence("%1 is given an object of %2, whose methods it may call", fullName(by.name),
                      originOf(Trait::Active, value)));
    }
}

/// A value of which the call may use an attribute that the pickle sets.
void PickleAssessment::assessFunctions(Facts& by, NodeId value) {
    if (by.known != Known::Record && has(Trait::Code, value)) {
        find(Verdict::WouldRunCode, sentence("%1 is given %2, which it may call", fullName(by.name),
                                             originOf(Trait::Code, value)));
    }
}

/// A literal container whose elements are only stored, or also hashed.
void PickleAssessment::assessElements(Facts& by, NodeId value) {
    if (by.known == Known::Set) {
        for (const NodeId element : m_graph.items(value)) {
            assessKey(element);
        }
    }
    if (by.known != Known::Mapping) {
        return;
    }
    for (const NodeId element : m_graph.items(value)) {
        const auto pair = m_graph.items(element);
        if (isLiteral(m_graph.kind(element)) && pair.size() == 2) {
            assessKey(pair[0]);
        } else if (has(Trait::Code, element) || has(Trait::Active, element)) {
            find(Verdict::WouldRunCode,
                 sentence(
                     "%1 is given %2, which it may call", fullName(by.name),
                     originOf(has(Trait::Code, element) ? Trait::Code : Trait::Active, element)));
        }
    }
}

/// A value that is stored, after the items of its dicts have been read.
void PickleAssessment::assessStored(Facts& by, NodeId value) {
    if (by.known == Known::Partial) {
        return;
    }
    if (m_graph.kind(value) == NodeKind::Object) {
        assessFunctions(by, value);
    }
    if (m_graph.kind(value) != NodeKind::Tuple) {
        return;
    }
    for (const NodeId part : m_graph.items(value)) {
        if (m_graph.kind(part) == NodeKind::Object) {
            assessFunctions(by, part);
        }
    }
}

void PickleAssessment::assessSpecial(NodeId id, Facts& callee) {
    const auto args = m_graph.items(m_graph.args(id));
    if (callee.name.module == "copyreg") {
        assessReconstructor(callee, args);
    } else if (callee.name.name == "getattr") {
        assessAttribute(id, callee);
    } else if (callee.name.name == "type") {
        if (args.size() != 1) {
            fails(callee); // creates a class
        }
    } else if (callee.name.name == "_ufunc_reconstruct") {
        Facts* function = named(id);
        if (function == nullptr || !function->closed) {
            fails(callee);
        }
    } else {
        assessCall(callee, args, Use::Called);
    }
}

void PickleAssessment::assessAttribute(NodeId id, Facts& callee) {
    const auto args = m_graph.items(m_graph.args(id));
    const std::string_view attribute = args.size() == 2 ? m_graph.text(args[1]) : "";
    if (attribute.empty() || !isDottedName(attribute) ||
        attribute.find('.') != std::string_view::npos || !m_graph.states(id).empty()) {
        fails(callee);
        return;
    }
    Facts* found = named(id);
    if (found != nullptr && found->known) {
        return;
    }
    Facts* owner = named(args[0]);
    const bool ofFunction = owner != nullptr && owner->closed && !looksLikeClass(owner->name.name);
    if (attribute.starts_with("__") || ofFunction) {
        fails(callee);
    } else if (owner == nullptr) {
        find(Verdict::UnknownClass,
             sentence("A method of an object is looked up: %1", visibleText(attribute)));
    }
}

/// copyreg._reconstructor(cls, base, state) calls base; copyreg.__newobj__(cls, …) and
/// __newobj_ex__(cls, args, kwargs) create an instance.
void PickleAssessment::assessReconstructor(Facts& callee, std::span<const NodeId> args) {
    Facts* type = args.empty() ? nullptr : named(args[0]);
    if (type == nullptr) {
        assessClass(args.empty() ? NodeId{} : args[0], Use::Instantiated);
        return;
    }
    if (callee.name.name == "__newobj__") {
        assessCall(*type, args.subspan(1), Use::Instantiated);
        return;
    }
    if (callee.name.name == "__newobj_ex__") {
        const NodeId inner = args.size() > 1 ? args[1] : NodeId{};
        assessCall(*type, m_graph.items(inner), Use::Instantiated);
        if (m_graph.kind(inner) != NodeKind::Tuple) {
            fails(callee);
        }
        for (const NodeId arg : args.subspan(std::min<std::size_t>(args.size(), 2))) {
            assessRead(*type, arg);
        }
        return;
    }
    use(*type, Use::Instantiated);
    Facts* base = args.size() > 1 ? named(args[1]) : nullptr;
    if (base == nullptr) {
        fails(callee);
        return;
    }
    const auto rest = args.subspan(2);
    if (!isBaseType(base->name)) {
        assessCall(*base, rest, Use::Called);
        return;
    }
    for (const NodeId state : rest) {
        if (!isLiteral(m_graph.kind(state))) { // else its elements are only stored
            assessRead(callee, state);
        }
    }
}

/// The eighth part of a dtype's state are its flags, of which the first says that elements are
/// objects. Without it NumPy would take bytes of the pickle for pointers.
void PickleAssessment::assessElementType(NodeId id, NodeId state) {
    constexpr std::size_t kFields = 4;
    constexpr std::size_t kFlags = 7;
    const auto parts = m_graph.items(state);
    const auto flags = parts.size() > kFlags ? m_graph.asInteger(parts[kFlags]) : std::nullopt;
    if (!flags || (*flags & 1) != 0) {
        return;
    }
    const auto holdsObjects = [&](NodeId dtype) {
        const auto args = m_graph.items(m_graph.args(dtype));
        return !args.empty() && m_graph.text(args[0]).find('O') != std::string_view::npos;
    };
    bool objects = holdsObjects(id);
    for (const auto& [name, field] : m_graph.pairs(parts[kFields])) {
        const auto inner = m_graph.items(field);
        objects = objects || (!inner.empty() && holdsObjects(inner[0]));
    }
    if (objects) {
        find(Verdict::WouldRunCode, "NumPy would take bytes of the pickle for pointers to objects");
    }
}

void PickleAssessment::assessState(Facts& made, NodeId id, NodeId state) {
    if (!made.known) {
        return; // an unknown class, or a call that is reported
    }
    switch (*made.known) {
    case Known::Value:
    case Known::Type:
    case Known::Special:
        find(Verdict::WouldRunCode, sentence("The pickle modifies %1", fullName(made.name)));
        break;
    case Known::Maker:
        if (made.name == GlobalName{"numpy", "dtype"}) {
            assessElementType(id, state);
        }
        assessRead(made, state);
        break;
    case Known::Reader:
    case Known::OpenReader:
        assessRead(made, state);
        break;
    case Known::Partial: {
        const auto parts = m_graph.items(state);
        if (m_graph.kind(state) == NodeKind::Tuple && !parts.empty()) {
            assessFunction(made, parts[0], Role::Kept);
        } else {
            assessRead(made, state);
        }
        break;
    }
    case Known::Array:
        for (const NodeId part : m_graph.items(state)) {
            if (m_graph.kind(part) != NodeKind::List) {
                assessRead(made, part);
            }
        }
        if (m_graph.kind(state) != NodeKind::Tuple) {
            assessRead(made, state);
        }
        break;
    default:
        assessInstanceState(made, state);
    }
}

/// The attributes of an instance, as a dict, or as a pair of dicts whose second one sets slots.
void PickleAssessment::assessInstanceState(Facts& made, NodeId state) {
    if (m_graph.kind(state) == NodeKind::Dict || m_graph.isNone(state)) {
        return;
    }
    const auto parts = m_graph.items(state);
    const bool pair = m_graph.kind(state) == NodeKind::Tuple && parts.size() == 2 &&
                      (m_graph.kind(parts[0]) == NodeKind::Dict || m_graph.isNone(parts[0]));
    assessRead(made, pair ? parts[1] : state);
}

/// Values that APPENDS, ADDITEMS and SETITEMS add to an instance.
void PickleAssessment::assessContents(Facts& made, NodeId id) {
    const bool filled = !m_graph.items(id).empty() || !m_graph.pairs(id).empty();
    if (!filled || !made.known) {
        return;
    }
    switch (*made.known) {
    case Known::Sequence:
    case Known::Mapping:
        break;
    case Known::Set:
        for (const NodeId item : m_graph.items(id)) {
            assessKey(item);
        }
        break;
    default:
        find(Verdict::UnknownClass,
             sentence("An object of %1 is filled like a list or a dict", fullName(made.name)));
        for (const NodeId item : m_graph.items(id)) {
            assessRead(made, item);
        }
        for (const auto& [key, value] : m_graph.pairs(id)) {
            assessRead(made, value);
        }
        for (const NodeId state : m_graph.states(id)) {
            assessRead(made, state);
        }
    }
}

/// Python hashes the keys of a dict and the elements of a set.
void PickleAssessment::assessKeys(NodeId id) {
    const NodeKind kind = m_graph.kind(id);
    for (const auto& [key, value] : m_graph.pairs(id)) {
        assessKey(key);
    }
    if (kind == NodeKind::Set || kind == NodeKind::FrozenSet) {
        for (const NodeId item : m_graph.items(id)) {
            assessKey(item);
        }
    }
}

void PickleAssessment::assessKey(NodeId key, int depth) {
    constexpr int kMaxDepth = 4;
    const NodeKind kind = m_graph.kind(key);
    if (kind == NodeKind::Object && has(Trait::Code, key)) {
        const Facts* callee = named(m_graph.callable(key));
        const bool unknown = callee != nullptr && !callee->known && !callee->closed;
        if (named(key) == nullptr && !unknown) {
            find(Verdict::WouldRunCode,
                 sentence("The hash of an object is computed from which %1 can be reached",
                          originOf(Trait::Code, key)));
        }
    } else if ((kind == NodeKind::Tuple || kind == NodeKind::FrozenSet) && has(Trait::Code, key)) {
        for (const NodeId part : m_graph.items(key)) {
            if (depth == kMaxDepth) {
                find(Verdict::NotExamined, "Its values contain each other in too many ways");
                return;
            }
            assessKey(part, depth + 1);
        }
    }
}

} // namespace cairn::pickle
