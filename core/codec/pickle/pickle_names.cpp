// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::pickle {
namespace {

struct Renamed {
    GlobalName from;
    GlobalName to;
};

// The part of CPython's Lib/_compat_pickle.py that checkpoints and attacks use. An empty name
// stands for every name.
constexpr auto kNames = std::to_array<Renamed>({
    {{"__builtin__", "xrange"}, {"builtins", "range"}},
    {{"__builtin__", "reduce"}, {"functools", "reduce"}},
    {{"__builtin__", "intern"}, {"sys", "intern"}},
    {{"__builtin__", "unichr"}, {"builtins", "chr"}},
    {{"__builtin__", "unicode"}, {"builtins", "str"}},
    {{"__builtin__", "long"}, {"builtins", "int"}},
    {{"__builtin__", "basestring"}, {"builtins", "str"}},
    {{"itertools", "izip"}, {"builtins", "zip"}},
    {{"itertools", "imap"}, {"builtins", "map"}},
    {{"itertools", "ifilter"}, {"builtins", "filter"}},
    {{"itertools", "izip_longest"}, {"itertools", "zip_longest"}},
    {{"itertools", "ifilterfalse"}, {"itertools", "filterfalse"}},
    {{"UserDict", "IterableUserDict"}, {"collections", "UserDict"}},
    {{"UserList", "UserList"}, {"collections", "UserList"}},
    {{"UserString", "UserString"}, {"collections", "UserString"}},
    {{"whichdb", "whichdb"}, {"dbm", "whichdb"}},
    {{"_socket", "fromfd"}, {"socket", "fromfd"}},
    {{"_multiprocessing", "Connection"}, {"multiprocessing.connection", "Connection"}},
    {{"multiprocessing.process", "Process"}, {"multiprocessing.context", "Process"}},
    {{"urllib", "urlopen"}, {"urllib.request", "urlopen"}},
    {{"urllib", "urlretrieve"}, {"urllib.request", "urlretrieve"}},
    {{"urllib2", "HTTPError"}, {"urllib.error", "HTTPError"}},
    {{"urllib2", "URLError"}, {"urllib.error", "URLError"}},
    {{"exceptions", "StandardError"}, {"builtins", "Exception"}},
});

constexpr auto kModules = std::to_array<Renamed>({
    {{"__builtin__", ""}, {"builtins", ""}},
    {{"exceptions", ""}, {"builtins", ""}},
    {{"copy_reg", ""}, {"copyreg", ""}},
    {{"Queue", ""}, {"queue", ""}},
    {{"SocketServer", ""}, {"socketserver", ""}},
    {{"ConfigParser", ""}, {"configparser", ""}},
    {{"repr", ""}, {"reprlib", ""}},
    {{"tkFileDialog", ""}, {"tkinter.filedialog", ""}},
    {{"tkSimpleDialog", ""}, {"tkinter.simpledialog", ""}},
    {{"Tkinter", ""}, {"tkinter", ""}},
    {{"markupbase", ""}, {"_markupbase", ""}},
    {{"_winreg", ""}, {"winreg", ""}},
    {{"thread", ""}, {"_thread", ""}},
    {{"dummy_thread", ""}, {"_dummy_thread", ""}},
    {{"dbhash", ""}, {"dbm.bsd", ""}},
    {{"dumbdbm", ""}, {"dbm.dumb", ""}},
    {{"dbm", ""}, {"dbm.ndbm", ""}},
    {{"gdbm", ""}, {"dbm.gnu", ""}},
    {{"xmlrpclib", ""}, {"xmlrpc.client", ""}},
    {{"SimpleXMLRPCServer", ""}, {"xmlrpc.server", ""}},
    {{"httplib", ""}, {"http.client", ""}},
    {{"htmlentitydefs", ""}, {"html.entities", ""}},
    {{"HTMLParser", ""}, {"html.parser", ""}},
    {{"Cookie", ""}, {"http.cookies", ""}},
    {{"cookielib", ""}, {"http.cookiejar", ""}},
    {{"BaseHTTPServer", ""}, {"http.server", ""}},
    {{"test.test_support", ""}, {"test.support", ""}},
    {{"commands", ""}, {"subprocess", ""}},
    {{"urlparse", ""}, {"urllib.parse", ""}},
    {{"robotparser", ""}, {"urllib.robotparser", ""}},
    {{"urllib2", ""}, {"urllib.request", ""}},
    {{"anydbm", ""}, {"dbm", ""}},
    {{"_abcoll", ""}, {"collections.abc", ""}},
    {{"cPickle", ""}, {"pickle", ""}},
    {{"_elementtree", ""}, {"xml.etree.ElementTree", ""}},
    {{"FileDialog", ""}, {"tkinter.filedialog", ""}},
    {{"SimpleDialog", ""}, {"tkinter.simpledialog", ""}},
    {{"DocXMLRPCServer", ""}, {"xmlrpc.server", ""}},
    {{"SimpleHTTPServer", ""}, {"http.server", ""}},
    {{"CGIHTTPServer", ""}, {"http.server", ""}},
    {{"UserDict", ""}, {"collections", ""}},
    {{"UserList", ""}, {"collections", ""}},
    {{"UserString", ""}, {"collections", ""}},
    {{"whichdb", ""}, {"dbm", ""}},
    {{"StringIO", ""}, {"io", ""}},
    {{"cStringIO", ""}, {"io", ""}},
});

constexpr std::size_t kLongestModule = 31;

/// For each length of a module name, a bit set of first letters.
constexpr auto kFirstLetters = [] {
    std::array<std::uint64_t, kLongestModule + 1> table{};
    const auto add = [&](std::string_view module) {
        table.at(module.size()) |= std::uint64_t{1} << (static_cast<unsigned char>(module[0]) % 64);
    };
    for (const Renamed& row : kNames) {
        add(row.from.module);
    }
    for (const Renamed& row : kModules) {
        add(row.from.module);
    }
    return table;
}();

bool mayBeRenamed(std::string_view module) {
    return !module.empty() && module.size() <= kLongestModule &&
           (kFirstLetters[module.size()] >> (static_cast<unsigned char>(module[0]) % 64) & 1U) != 0;
}

} // namespace

/// Asked of every object of a stream, and nearly never of a name that changed: the lengths and
/// first letters of the modules that did distinguish most others at once.
GlobalName python3Name(GlobalName name) {
    if (!mayBeRenamed(name.module)) {
        return name;
    }
    for (const Renamed& row : kNames) {
        if (row.from == name) {
            return row.to;
        }
    }
    for (const Renamed& row : kModules) {
        if (row.from.module == name.module) {
            return {row.to.module, name.name};
        }
    }
    return name;
}

} // namespace cairn::pickle
