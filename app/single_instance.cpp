// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/single_instance.h"

#include "core/io/user_folder.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QElapsedTimer>
#include <QIODevice>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <QThread>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unistd.h>

namespace cairn {
namespace {

constexpr int kWaitMs = 50;
constexpr int kBacklog = 16;
constexpr qsizetype kMostBytes = 1 << 20;
const QByteArray kFormat = QByteArrayLiteral("cairn/launch/2");
const QByteArray kTaken = QByteArrayLiteral("taken");

/// Through the open folder, because a socket's address holds only 107 bytes of a path.
sockaddr_un addressIn(const FileHandle& folder, const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = "/proc/self/fd/" + std::to_string(folder.fd()) + "/" + name;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    return address;
}

FileHandle openSocket(int flags) {
    return FileHandle(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0));
}

void limitWaiting(const FileHandle& socket, int milliseconds) {
    const timeval limit{milliseconds / 1000, (milliseconds % 1000) * 1000L};
    for (const int direction : {SO_SNDTIMEO, SO_RCVTIMEO}) {
        (void)::setsockopt(socket.fd(), SOL_SOCKET, direction, &limit, sizeof limit);
    }
}

bool isOwnUser(int connection) {
    ucred peer{};
    socklen_t length = sizeof peer;
    return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
           peer.uid == ::getuid();
}

QByteArray packetOf(const LaunchRequest& request) {
    QByteArrayList paths;
    for (const std::filesystem::path& path : request.opening.paths) {
        paths << QByteArray::fromStdString(path.native());
    }
    QByteArray packet;
    QDataStream stream(&packet, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_4);
    stream << kFormat << paths << request.opening.sample << request.opening.view
           << request.opening.page << request.activation;
    return packet;
}

/// Empty: of another version of the program.
std::optional<LaunchRequest> requestIn(const QByteArray& packet) {
    QDataStream stream(packet);
    stream.setVersion(QDataStream::Qt_6_4);
    QByteArray format;
    QByteArrayList paths;
    LaunchRequest request;
    stream >> format;
    if (format != kFormat) {
        return std::nullopt;
    }
    stream >> paths >> request.opening.sample >> request.opening.view >> request.opening.page >>
        request.activation;
    for (const QByteArray& path : paths) {
        request.opening.paths.emplace_back(path.toStdString());
    }
    return stream.status() == QDataStream::Ok ? std::optional(request) : std::nullopt;
}

} // namespace

SingleInstance::SingleInstance(FileOps& fileOps, std::filesystem::path folder, const QString& name)
    : m_fileOps(fileOps), m_folderPath(std::move(folder)), m_name(name.toStdString()) {
    if (auto opened = openUserFolder(m_fileOps, m_folderPath)) {
        m_folder = std::move(*opened);
    }
}

SingleInstance::~SingleInstance() {
    leave();
}

QString SingleInstance::defaultName(const QString& platform) {
    const QString chosen = qEnvironmentVariable("CAIRN_INSTANCE");
    const bool shows = platform.startsWith(QLatin1String("wayland")) ||
                       platform == QLatin1String("xcb") || platform == QLatin1String("cocoa");
    if (chosen.isEmpty() && !shows) {
        return {};
    }
    const QString display =
        qEnvironmentVariable(platform == QLatin1String("xcb") ? "DISPLAY" : "WAYLAND_DISPLAY");
    const QString place = chosen.isEmpty() ? platform + QLatin1Char('|') + display : chosen;
    const QByteArray digest =
        QCryptographicHash::hash(place.toUtf8(), QCryptographicHash::Sha256).toHex().left(12);
    return QStringLiteral("window-") + QString::fromLatin1(digest);
}

std::filesystem::path SingleInstance::defaultFolder() {
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    return runtime.isEmpty() ? std::filesystem::path()
                             : std::filesystem::path(runtime.toLocal8Bit().toStdString()) / "cairn";
}

Result<bool> SingleInstance::lock() {
    const std::string name = m_name + ".lock";
    auto file = m_fileOps.createFile(m_folder, name);
    if (!file) {
        file = m_fileOps.openFile(m_folder, name); // stays, so that all lock the same file
    }
    if (!file) {
        return file.error();
    }
    CAIRN_TRY(const bool mine, m_fileOps.lock(*file));
    if (mine) {
        m_lock = std::move(*file);
    }
    return mine;
}

bool SingleInstance::serve() {
    const std::string name = m_name + ".socket";
    (void)m_fileOps.removeFile(m_folder, name); // of a killed process: this one has the lock
    m_socket = openSocket(SOCK_NONBLOCK);
    const sockaddr_un address = addressIn(m_folder, name);
    if (!m_socket.valid() ||
        ::bind(m_socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(m_socket.fd(), kBacklog) != 0) {
        m_socket = FileHandle();
        m_lock = FileHandle();
        return false;
    }
    m_waiting = std::make_unique<QSocketNotifier>(m_socket.fd(), QSocketNotifier::Read);
    connect(m_waiting.get(), &QSocketNotifier::activated, this, &SingleInstance::accept);
    return true;
}

SingleInstance::Role SingleInstance::startSeparately() {
    return m_folder.valid() && lock().value_or(false) && serve() ? Role::First : Role::Alone;
}

SingleInstance::Role SingleInstance::join(const LaunchRequest& request, int patienceMs) {
    QElapsedTimer passed;
    passed.start();
    while (m_folder.valid()) {
        const Result<bool> mine = lock();
        if (!mine || *mine) {
            return mine && serve() ? Role::First : Role::Alone;
        }
        const int left = patienceMs - static_cast<int>(passed.elapsed());
        if (left <= 0) {
            break;
        }
        if (handOver(request, left)) {
            return Role::Handed;
        }
        QThread::msleep(kWaitMs); // it has just begun, or is ending
    }
    return Role::Alone;
}

bool SingleInstance::handOver(const LaunchRequest& request, int patienceMs) const {
    const FileHandle socket = openSocket(0);
    const sockaddr_un address = addressIn(m_folder, m_name + ".socket");
    limitWaiting(socket, patienceMs);
    if (!socket.valid() ||
        ::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        return false;
    }
    const QByteArray packet = packetOf(request);
    QByteArray answer(kTaken.size(), '\0');
    return ::send(socket.fd(), packet.constData(), static_cast<std::size_t>(packet.size()),
                  MSG_NOSIGNAL) == packet.size() &&
           ::recv(socket.fd(), answer.data(), static_cast<std::size_t>(answer.size()), 0) ==
               kTaken.size() &&
           answer == kTaken;
}

void SingleInstance::accept() {
    const int connection = ::accept4(m_socket.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) {
        return;
    }
    if (!isOwnUser(connection)) {
        ::close(connection);
        return;
    }
    auto* packet = new QSocketNotifier(connection, QSocketNotifier::Read, this);
    connect(packet, &QSocketNotifier::activated, this, [this, packet, connection] {
        packet->setEnabled(false);
        packet->deleteLater();
        receive(connection);
        ::close(connection);
    });
}

void SingleInstance::receive(int connection) {
    QByteArray packet(kMostBytes, Qt::Uninitialized);
    const auto length =
        ::recv(connection, packet.data(), static_cast<std::size_t>(packet.size()), 0);
    packet.resize(std::max<qsizetype>(length, 0));
    if (const auto request = requestIn(packet)) {
        (void)::send(connection, kTaken.constData(), static_cast<std::size_t>(kTaken.size()),
                     MSG_NOSIGNAL);
        Q_EMIT requested(*request);
    }
}

void SingleInstance::leave() {
    if (m_socket.valid()) {
        m_waiting.reset();
        (void)m_fileOps.removeFile(m_folder, m_name + ".socket");
        m_socket = FileHandle();
    }
    m_lock = FileHandle();
}

} // namespace cairn
