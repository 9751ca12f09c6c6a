// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/scan_assessment.h"

#include "core/base/visible_text.h"
#include "core/codec/pickle/scan_rules.h"

#include <algorithm>

// Names, and the traits that spread through the graph. What Python does with the values:
// scan_assessment_calls.cpp.

namespace cairn::pickle {
namespace {

constexpr int kMaxAttributes = 8; ///< attributes of attributes
constexpr int kMaxSweeps = 64;

std::string spelledOut(GlobalName name) {
    return visibleText(std::string(name.module) + "." + std::string(name.name));
}

/// A name that was read, but whose call was not.
bool isHarmfulValue(Known known) {
    return known == Known::Special || known == Known::Type || known == Known::Data ||
           known == Known::Reader;
}

} // namespace

PickleAssessment::PickleAssessment(const PickleGraph& graph) : m_graph(graph) {
    m_byGlobal.reserve(graph.globals().size());
    for (const GlobalUse& use : graph.globals()) {
        m_byGlobal.push_back(&factsFor(python3Name(use.name)));
    }
}

PickleAssessment::Facts& PickleAssessment::factsFor(GlobalName name) {
    Facts*& known = m_byName[{name.module, name.name}];
    if (known == nullptr) {
        Facts& facts = m_facts.emplace_back();
        facts.name = name;
        facts.known = knownName(name);
        facts.closed = isClosedWorld(name.module);
        facts.roles = facts.known ? rolesOf(name) : std::array<Role, kRoles>{};
        for (const Use use : {Use::Mentioned, Use::Instantiated, Use::Called}) {
            facts.verdicts[static_cast<std::size_t>(use)] = assessGlobal(name, use);
        }
        facts.worst = facts.verdicts[static_cast<std::size_t>(Use::Mentioned)];
        facts.carriesCode =
            facts.known
                ? isHarmfulValue(*facts.known) || appliesArguments(facts.roles)
                : facts.verdicts[static_cast<std::size_t>(Use::Called)] == Verdict::WouldRunCode;
        known = &facts;
    }
    return *known;
}

PickleAssessment::Facts* PickleAssessment::named(NodeId id, int depth) {
    const NodeKind kind = m_graph.kind(id);
    if (kind == NodeKind::Global) {
        return m_byGlobal[m_graph.globalIndex(id)];
    }
    if (kind != NodeKind::Object || depth > kMaxAttributes) {
        return nullptr;
    }
    const auto known = m_byNode.find(id.value);
    if (known != m_byNode.end()) {
        return known->second;
    }
    Facts* facts = namedByCall(id, depth);
    if (facts != nullptr) {
        m_byNode.emplace(id.value, facts);
    }
    return facts;
}

/// On some Python versions members of enums, nested classes and functions of classes are pickled
/// through getattr.
PickleAssessment::Facts* PickleAssessment::namedByCall(NodeId id, int depth) {
    const GlobalName callee = m_graph.calleeName(id);
    const auto args = m_graph.items(m_graph.args(id));
    if (callee == GlobalName{"builtins", "getattr"}) {
        if (args.size() != 2 || m_graph.kind(args[1]) != NodeKind::Str) {
            return nullptr;
        }
        Facts* owner = named(args[0], depth + 1);
        if (owner == nullptr) {
            return nullptr;
        }
        const std::string& name = m_names.emplace_back(std::string(owner->name.name) + "." +
                                                       std::string(m_graph.text(args[1])));
        return &factsFor({owner->name.module, name});
    }
    if (callee.name == "_ufunc_reconstruct" && callee.module.starts_with("numpy") &&
        args.size() == 2) {
        return &factsFor({m_graph.text(args[0]), m_graph.text(args[1])});
    }
    if (callee == GlobalName{"builtins", "type"} && args.size() == 1 && m_graph.isNone(args[0])) {
        return &factsFor({"types", "NoneType"});
    }
    return nullptr;
}

/// Of the class of the instance that a call makes, if that is an argument, else of the callee.
PickleAssessment::Facts& PickleAssessment::makerOf(NodeId id, Facts& callee) {
    const auto args = m_graph.items(m_graph.args(id));
    if (callee.name.module == "copyreg" && !args.empty()) {
        if (Facts* type = named(args[0])) {
            return *type;
        }
    }
    return callee;
}

/// Calls `visit` for the arguments, except classes of which only an instance is made.
void PickleAssessment::forEachArgument(const Facts* callee, NodeId args, const Visitor& visit) {
    const auto values = m_graph.items(args);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Role role = callee == nullptr ? Role::Read : callee->roles[std::min(i, kRoles - 1)];
        const bool ofCall = role == Role::Arguments && m_graph.kind(values[i]) == NodeKind::Tuple;
        const Facts* inner = ofCall ? named(values[0]) : nullptr;
        if (inner != nullptr && inner != callee) {
            forEachArgument(inner, values[i], visit);
        } else if ((role != Role::Subtype && role != Role::New && role != Role::Applied) ||
                   named(values[i]) == nullptr) {
            visit(values[i]);
        }
    }
    if (values.empty()) {
        visit(args); // not a tuple
    }
}

/// Calls `visit` for everything that the value contains, except its callee and such classes.
void PickleAssessment::forEachPart(NodeId id, const Visitor& visit) {
    const NodeKind kind = m_graph.kind(id);
    if (kind == NodeKind::PersistentId) {
        visit(m_graph.payload(id));
        return;
    }
    for (const NodeId item : m_graph.items(id)) {
        visit(item);
    }
    for (const auto& [key, value] : m_graph.pairs(id)) {
        visit(key);
        visit(value);
    }
    if (kind != NodeKind::Object) {
        return;
    }
    forEachArgument(named(m_graph.callable(id)), m_graph.args(id), visit);
    visit(m_graph.kwargs(id));
    for (const NodeId state : m_graph.states(id)) {
        visit(state);
    }
}

/// Sweeps over the nodes, up and down in turn: most values are stored after their parts, and the
/// containers that the pickle fills later are stored before them.
PickleAssessment::Origins PickleAssessment::spread(const std::function<bool(NodeId)>& begins) {
    const std::size_t count = m_graph.storedNodes();
    Origins origins(count, 0);
    bool changed = true;
    for (int sweep = 0; changed; ++sweep) {
        if (sweep == kMaxSweeps) {
            find(Verdict::NotExamined, "Its values contain each other in too many ways");
            break;
        }
        changed = false;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = sweep % 2 == 0 ? i : count - 1 - i;
            const NodeId id{static_cast<std::uint32_t>(at)};
            std::uint32_t& origin = origins[at];
            if (origin != 0) {
                continue;
            }
            forEachPart(id, [&](NodeId part) {
                if (origin != 0 || part.value >= count) {
                    return;
                }
                origin = begins(part) ? part.value + 1 : origins[part.value];
            });
            changed = changed || origin != 0;
        }
    }
    return origins;
}

/// A value that would run code if it was called.
bool PickleAssessment::carriesCode(NodeId value) {
    if (const Facts* facts = named(value)) {
        return facts->carriesCode;
    }
    if (m_graph.kind(value) != NodeKind::Object) {
        return false;
    }
    const GlobalName callee = m_graph.calleeName(value);
    return callee == GlobalName{"builtins", "getattr"} || callee == GlobalName{"builtins", "type"};
}

bool PickleAssessment::isActive(NodeId id) {
    Facts* callee = m_graph.kind(id) == NodeKind::Object ? named(m_graph.callable(id)) : nullptr;
    if (callee == nullptr) {
        return false;
    }
    const auto known = makerOf(id, *callee).known;
    return known == Known::Data || known == Known::Reader || known == Known::Open ||
           known == Known::OpenReader;
}

bool PickleAssessment::has(Trait trait, NodeId id) {
    const Origins& origins = trait == Trait::Code ? m_code : m_active;
    if (origins.empty() || id.value >= origins.size()) {
        return false;
    }
    return origins[id.value] != 0 || (trait == Trait::Code ? carriesCode(id) : isActive(id));
}

std::string PickleAssessment::originOf(Trait trait, NodeId id) {
    const Origins& origins = trait == Trait::Code ? m_code : m_active;
    NodeId from = id;
    if (id.value < origins.size() && origins[id.value] != 0) {
        from = NodeId{origins[id.value] - 1};
    }
    const Facts* facts = trait == Trait::Code ? named(from) : named(m_graph.callable(from));
    return facts == nullptr ? "a method of an object" : spelledOut(facts->name);
}

void PickleAssessment::use(Facts& facts, Use how) {
    const Verdict verdict = facts.verdicts[static_cast<std::size_t>(how)];
    facts.worst = std::max(facts.worst, verdict);
    facts.ran = facts.ran || (how != Use::Mentioned && verdict == Verdict::WouldRunCode);
}

void PickleAssessment::fails(Facts& facts) {
    facts.worst = Verdict::WouldRunCode;
    facts.ran = true;
}

/// Of each verdict as many as are shown: a bad one is never left out for many that are not.
void PickleAssessment::find(Verdict verdict, Sentence reason) {
    constexpr std::size_t kMaxFindings = 64;
    std::size_t& found = m_found[static_cast<std::size_t>(verdict)];
    if (found < kMaxFindings && m_reasons.insert(reason.text()).second) {
        ++found;
        m_findings.push_back({verdict, std::move(reason)});
    }
}

/// In the order of the stream, before the other findings.
void PickleAssessment::nameFindings() {
    std::vector<Finding> names;
    for (const Facts& facts : m_facts) {
        if (facts.worst == Verdict::WouldRunCode) {
            names.push_back({facts.worst, sentence("%1%2",
                                                   facts.ran ? Sentence("Python would call ")
                                                             : "The pickle refers to ",
                                                   spelledOut(facts.name))});
        } else if (facts.worst == Verdict::UnknownClass) {
            names.push_back({facts.worst, sentence("The class or name %1 is unknown to Cairn",
                                                   spelledOut(facts.name))});
        }
    }
    m_findings.insert(m_findings.begin(), std::make_move_iterator(names.begin()),
                      std::make_move_iterator(names.end()));
}

void PickleAssessment::run() {
    if (std::ranges::any_of(m_facts, [](const Facts& facts) { return facts.carriesCode; })) {
        m_code = spread([&](NodeId id) { return carriesCode(id); });
    }
    const bool active = std::ranges::any_of(m_facts, [](const Facts& facts) {
        return facts.known == Known::Data || facts.known == Known::Reader ||
               facts.known == Known::Open;
    });
    if (active) {
        m_active = spread([&](NodeId id) { return isActive(id); });
    }
    for (std::size_t i = 0; i < m_graph.storedNodes(); ++i) {
        const NodeId id{static_cast<std::uint32_t>(i)};
        if (m_graph.kind(id) == NodeKind::Object) {
            assessObject(id);
        }
        if (!m_code.empty()) {
            assessKeys(id);
        }
    }
    nameFindings();
}

} // namespace cairn::pickle
