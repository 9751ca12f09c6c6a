// SPDX-License-Identifier: Apache-2.0
#include "core/store/ssh_start.h"

#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/io/system_error.h"
#include "core/store/install_script.h"
#include "core/store/quiet_write.h"
#include "core/store/ssh_errors.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <random>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace cairn::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kMostLogin = std::chrono::seconds(180); ///< with a password typed
constexpr auto kMostStep = std::chrono::seconds(60);   ///< without any byte
constexpr auto kMostLastWords = std::chrono::seconds(5);
constexpr int kMostFolders = 5; ///< that the script tries
constexpr std::size_t kMostBanner = std::size_t{1} << 20U;

std::string newNonce() {
    std::random_device random;
    std::array<std::byte, 16> bytes{};
    for (std::byte& each : bytes) {
        each = static_cast<std::byte>(random() & 0xffU);
    }
    return "cairn-" + hexText(bytes);
}

/// The text part of the conversation.
class Shell {
public:
    Shell(Channel& channel, std::string host) : m_channel(channel), m_host(std::move(host)) {
        for (const FileHandle* file : {&channel.toFar, &channel.fromFar, &channel.messages}) {
            if (file->valid()) {
                ::fcntl(file->fd(), F_SETFL, ::fcntl(file->fd(), F_GETFL) | O_NONBLOCK);
            }
        }
    }

    Result<void> write(std::string_view bytes) {
        auto ends = Clock::now() + kMostStep;
        while (!bytes.empty()) {
            const ssize_t put = writeQuietly(m_channel.toFar.fd(), bytes);
            if (put > 0) {
                bytes.remove_prefix(static_cast<std::size_t>(put));
                ends = Clock::now() + kMostStep;
            } else if ((errno != EAGAIN && errno != EINTR) || Clock::now() > ends) {
                return ended();
            } else {
                pollfd waiting{m_channel.toFar.fd(), POLLOUT, 0};
                (void)::poll(&waiting, 1, 100);
            }
        }
        return {};
    }

    /// The rest of the next line that begins with the nonce; other lines are a banner's.
    Result<std::string> answer(const std::string& nonce, Clock::duration most) {
        const auto ends = Clock::now() + most;
        std::size_t skipped = 0;
        for (;;) {
            const std::size_t end = m_received.find('\n');
            if (end != std::string::npos) {
                std::string line = m_received.substr(0, end);
                m_received.erase(0, end + 1);
                // A banner may end without a line end.
                const std::size_t at = line.find(nonce + " ");
                if (at != std::string::npos) {
                    return line.substr(at + nonce.size() + 1);
                }
                skipped += line.size() + 1;
                m_banner = line;
                continue;
            }
            if (skipped + m_received.size() > kMostBanner) {
                return fail(ErrorCode::Io, "The host's login output exceeds 1 MiB")
                    .inFile(m_host)
                    .withHint("Its shell must be quiet for programs; check ~/.bashrc and ~/.cshrc");
            }
            if (Clock::now() > ends) {
                return fail(ErrorCode::Io, "The host does not respond")
                    .inFile(m_host)
                    .butFound(verbatim(m_banner))
                    .withHint("`ssh HOST true` must work in a terminal, and end");
            }
            CAIRN_CHECK(receive());
        }
    }

    std::string takeReceived() { return std::exchange(m_received, {}); }
    [[nodiscard]] const std::string& host() const { return m_host; }

private:
    Result<void> receive() {
        std::array<pollfd, 2> waiting{
            {{m_channel.fromFar.fd(), POLLIN, 0}, {m_channel.messages.fd(), POLLIN, 0}}};
        (void)::poll(waiting.data(), waiting.size(), 100);
        readMessages();
        if (waiting[0].revents == 0) {
            return {};
        }
        std::array<char, 4096> buffer{};
        const ssize_t got = ::read(m_channel.fromFar.fd(), buffer.data(), buffer.size());
        if (got > 0) {
            m_received.append(buffer.data(), static_cast<std::size_t>(got));
            return {};
        }
        return got < 0 && (errno == EAGAIN || errno == EINTR) ? Result<void>() : ended();
    }

    void readMessages() {
        std::array<char, 4096> buffer{};
        for (;;) {
            const ssize_t got = m_channel.messages.valid()
                                    ? ::read(m_channel.messages.fd(), buffer.data(), buffer.size())
                                    : 0;
            if (got == 0) {
                m_channel.messages = FileHandle(); // else poll() never waits again
            }
            if (got <= 0) {
                return;
            }
            if (m_messages.size() < kMostBanner) {
                m_messages.append(buffer.data(), static_cast<std::size_t>(got));
            }
        }
    }

    /// Why ssh ended: its own messages, else what the login printed last.
    Error ended() {
        std::array<char, 4096> buffer{};
        pollfd rest{m_channel.fromFar.fd(), POLLIN, 0};
        while (m_received.size() < kMostBanner && ::poll(&rest, 1, 500) > 0) {
            const ssize_t got = ::read(m_channel.fromFar.fd(), buffer.data(), buffer.size());
            if (got <= 0) {
                break;
            }
            m_received.append(buffer.data(), static_cast<std::size_t>(got));
        }
        m_banner += "\n" + m_received;
        if (m_channel.messages.valid()) {
            pollfd waiting{m_channel.messages.fd(), POLLIN, 0};
            (void)::poll(&waiting, 1, 500); // why it ended
            readMessages();
        }
        return sshError(m_messages.empty() ? m_banner : m_messages, m_host);
    }

    Channel& m_channel;
    std::string m_host;
    std::string m_received;
    std::string m_banner; ///< the last line before the nonce; when ssh ended, all after it
    std::string m_messages;
};

Result<std::vector<std::byte>> wholeProgram(const ProgramToSend& program) {
    const std::filesystem::path path(program.path);
    CAIRN_TRY(const FolderPtr folder, Folder::open(path.parent_path()));
    CAIRN_TRY(const ByteSourcePtr file, folder->openFile(path.filename().string()));
    return readRange(*file, {0, program.size});
}

/// As gzip writes it; empty: it failed.
std::string gzipped(std::span<const std::byte> bytes) {
    z_stream stream{};
    constexpr int kGzip = 16 + MAX_WBITS;
    if (::deflateInit2(&stream, 1, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        return {};
    }
    std::string out(::deflateBound(&stream, bytes.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const bool ended = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.resize(ended ? stream.total_out : 0);
    ::deflateEnd(&stream);
    return out;
}

/// Writes the program; what the host says then. If it ended, that may be why.
Result<std::string> sendProgram(Shell& shell, const std::string& nonce, std::string_view bytes) {
    if (const auto sent = shell.write(bytes); !sent) {
        auto said = shell.answer(nonce, kMostLastWords);
        return said ? said : Result<std::string>(sent.error());
    }
    return shell.answer(nonce, kMostStep);
}

/// "need Linux x86_64 gzip": sends the program, again for each folder that could not store it. What
/// the host says last.
Result<std::string> install(Shell& shell, const std::string& nonce, std::string_view need,
                            const ProgramToSend& program) {
    const std::string own = "Linux " + ownMachine();
    const bool fits = need == own || need.starts_with(own + " ");
    if (program.sha256.empty() || !fits) {
        (void)shell.write("no\n");
        return fail(ErrorCode::Unsupported, fits
                                                ? Sentence("cairn-cli is not installed on the host")
                                                : "The host has a different kind of processor")
            .inFile(shell.host())
            .butFound(verbatim(std::string(need)))
            .expecting(verbatim(own))
            .withHint("Install cairn-cli of the same version on the host, in its PATH");
    }
    CAIRN_TRY(const std::vector<std::byte> bytes, wholeProgram(program));
    const std::string packed = need.ends_with(" gzip") ? gzipped(bytes) : std::string();
    const std::string_view sent =
        packed.empty() ? std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())
                       : std::string_view(packed);
    CAIRN_CHECK(shell.write((packed.empty() ? "plain " : "gzip ") + std::to_string(sent.size()) +
                            " " + std::to_string(bytes.size()) + "\n"));
    CAIRN_TRY(std::string said, shell.answer(nonce, kMostStep));
    for (int folders = 0; said == "send" && folders < kMostFolders; ++folders) {
        CAIRN_TRY(said, sendProgram(shell, nonce, sent));
    }
    constexpr std::string_view kUnfit = "unfit ";
    if (!said.starts_with(kUnfit)) {
        return said;
    }
    return fail(ErrorCode::NoSpace, "The host has no folder for the program")
        .inFile(shell.host())
        .butFound(verbatim(said.substr(kUnfit.size())))
        .withHint("Install cairn-cli of the same version on the host, in its PATH");
}

} // namespace

std::vector<std::string> sshWords(const RemoteName& host) {
    std::vector<std::string> words{"ssh", "-T",
                                   "-a",  "-x",
                                   "-e",  "none",
                                   "-o",  "ClearAllForwardings=yes",
                                   "-o",  "RemoteCommand=none",
                                   "-o",  "ConnectTimeout=20",
                                   "-o",  "ServerAliveInterval=15",
                                   "-o",  "ServerAliveCountMax=3"};
    if (host.port != 0) {
        words.insert(words.end(), {"-p", std::to_string(host.port)});
    }
    if (!host.user.empty()) {
        words.insert(words.end(), {"-l", host.user});
    }
    // `exec` is known to sh, bash, zsh, fish and csh alike; nothing in it needs quotes.
    words.insert(words.end(), {"--", host.host, "exec /bin/sh"});
    return words;
}

Result<std::shared_ptr<Connection>> connectOverShell(Channel channel, const RemoteName& host,
                                                     const std::string& version) {
    const std::string nonce = newNonce();
    const ProgramToSend program = programToSend();
    Shell shell(channel, host.account());
    CAIRN_CHECK(shell.write(installScript(nonce, program, version)));
    CAIRN_TRY(std::string said, shell.answer(nonce, kMostLogin));
    if (said.starts_with("need ")) {
        CAIRN_TRY(said, install(shell, nonce, std::string_view(said).substr(5), program));
    }
    if (said != "start") {
        return fail(ErrorCode::Unsupported, "The program could not be started on the host")
            .inFile(host.account())
            .butFound(verbatim(said))
            .withHint("Install cairn-cli of the same version on the host, in its PATH");
    }
    std::string received = shell.takeReceived();
    return Connection::start(std::move(channel), std::move(received), host.account());
}

Result<std::shared_ptr<Connection>> connectBySsh(const RemoteName& host,
                                                 const std::string& version) {
    CAIRN_TRY(Pipe in, openPipe());
    CAIRN_TRY(Pipe out, openPipe());
    CAIRN_TRY(Pipe messages, openPipe());
    CAIRN_TRY(
        StartedProgram ssh,
        startProgram({"ssh", sshWords(host), {in.read.fd(), out.write.fd(), messages.write.fd()}}));
    Channel channel{std::move(in.write), std::move(out.read), std::move(messages.read),
                    std::move(ssh)};
    in.read = FileHandle(); // those of ssh are left, so that its end can be seen
    out.write = FileHandle();
    messages.write = FileHandle();
    return connectOverShell(std::move(channel), host, version);
}

} // namespace cairn::store
