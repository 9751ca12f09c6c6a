// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// The names that were read and found harmless: what Python does when a pickle calls, creates or
/// fills them. Harmless means: with arguments from which no function can be reached that would run
/// code, the call only makes values; it imports, calls and opens nothing that the pickle chooses.
/// Names are those of Python 3. Pure functions; any thread.
namespace cairn::pickle {

enum class Known : std::uint8_t {
    Value,      ///< a constant, or a class that is only mentioned
    Type,       ///< a class that other functions make instances of; its own __new__ was not read
    Data,       ///< created without __init__, filled from a dict
    Reader,     ///< the same, but its __setstate__ calls methods of what it is given
    Record,     ///< a tuple with names; __new__ stores its arguments
    Enum,       ///< called with a value; NAME.MEMBER is a Value
    Open,       ///< Data whose __init__ is harmless, too
    OpenReader, ///< a Reader whose __init__ is harmless, too
    Bag,        ///< the same, and so are its other methods: Namespace, exceptions
    Maker,      ///< a function or class that makes a value from its arguments
    Array,      ///< a Maker whose state contains a list of any objects
    Sequence,   ///< a Maker that stores the elements of a literal list
    Set,        ///< a Sequence that hashes them
    Mapping,    ///< a Maker that stores the pairs of a literal dict or list, and hashes keys
    Partial,    ///< functools.partial
    Special,    ///< judged in scan_assessment.cpp
};

/// Nothing: not read.
std::optional<Known> knownName(GlobalName name);

/// What a known function does with an argument.
enum class Role : std::uint8_t {
    Read,      ///< stored, iterated or converted: may call methods of it
    Stored,    ///< stored
    Kept,      ///< stored, as a function that is called later
    Called,    ///< called without arguments, if it can be
    Applied,   ///< called with other arguments
    Arguments, ///< the arguments with which the first argument is called
    New,       ///< a class, whose __new__ is called
    Subtype,   ///< a class of which an instance is made without calling it
    Loaded,    ///< bytes that are unpickled
    Codec,     ///< the name of a codec
};
inline constexpr std::size_t kRoles = 6;
std::array<Role, kRoles> rolesOf(GlobalName name); ///< by position; Read if the table has no row

/// Does more with an argument than to read or store it, so that it is only known with its own
/// arguments, not as a function that another one calls.
bool appliesArguments(const std::array<Role, kRoles>& roles);

/// A class of torch, by its last name, with a method that unpickling calls and that was not read.
bool isUnreadClass(GlobalName name);

/// A package of torch in which classes lie whose instances are saved.
bool inClassPackage(std::string_view module);

/// Whether `list`, words separated by spaces, contains `word`.
bool listed(std::string_view list, std::string_view word);

} // namespace cairn::pickle
