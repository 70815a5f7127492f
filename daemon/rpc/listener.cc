#include "daemon/rpc/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "daemon/rpc/inherited_sockets.h"

namespace wb {
namespace {

constexpr int kBacklog = 1024;

Status Failed(const ListenAddress& address, const std::string& what, int error) {
  return Status(Reason::kIoError,
                "Listening at [" + address.ToString() + "] failed: " + what + " (" +
                    std::strerror(error) + ").",
                {{"address", address.ToString()}});
}

Status InUse(const ListenAddress& address, const std::string& holder) {
  return Status(Reason::kIoError,
                "Listening at [" + address.ToString() + "] failed: " + holder + " uses it already.",
                {{"address", address.ToString()}});
}

Status NoFolder(const ListenAddress& address) {
  const std::string folder = std::filesystem::path(address.path).parent_path().string();
  return Status(Reason::kIoError,
                "Listening at [" + address.ToString() + "] failed: there is no folder [" + folder +
                    "]. Create it (as root: install -d -o USER " + folder +
                    "), or listen elsewhere: wasmburstd --listen unix:///path/to/socket.",
                {{"address", address.ToString()}});
}

sockaddr_un UnixAddress(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

// A process answers at the socket and does not hold our lock.
bool SomebodyListens(const std::string& path) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return false;
  sockaddr_un address = UnixAddress(path);
  bool connected = connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  close(fd);
  return connected;
}

int OpenSocket(int family) {
  int fd = socket(family, SOCK_STREAM, 0);
  if (fd >= 0) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  return fd;
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::Open(const ListenSetting& setting,
                                                 InheritedSockets* inherited) {
  std::unique_ptr<Listener> listener(new Listener());
  listener->address_ = setting.address;
  if (inherited != nullptr) listener->fd_ = inherited->Take(setting.address);
  if (listener->fd_ >= 0) return listener;
  bool is_unix = setting.address.kind == ListenAddress::Kind::kUnix;
  WB_TRY(is_unix ? listener->OpenUnix(setting.mode) : listener->OpenTcp());
  if (listen(listener->fd_, kBacklog) != 0) return Failed(setting.address, "listen", errno);
  return listener;
}

Listener::~Listener() {
  if (bound_) unlink(address_.path.c_str());
  if (fd_ >= 0) close(fd_);
  if (lock_fd_ >= 0) close(lock_fd_);  // the lock file stays: removing it would race
}

Status Listener::OpenUnix(uint32_t mode) {
  const std::string& path = address_.path;
  lock_fd_ = open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock_fd_ < 0 && errno == ENOENT) return NoFolder(address_);
  if (lock_fd_ < 0) return Failed(address_, "opening [" + path + ".lock]", errno);
  if (flock(lock_fd_, LOCK_EX | LOCK_NB) != 0) return InUse(address_, "another wasmburstd");
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0) {
    if (!S_ISSOCK(info.st_mode)) return InUse(address_, "a file that is no socket");
    if (SomebodyListens(path)) return InUse(address_, "another program");
    unlink(path.c_str());  // left behind by a daemon that was killed
  }
  fd_ = OpenSocket(AF_UNIX);
  if (fd_ < 0) return Failed(address_, "socket", errno);
  sockaddr_un address = UnixAddress(path);
  mode_t before = umask(0177);  // never wider than asked for, not even for a moment
  int bound = bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  int error = errno;
  umask(before);
  if (bound != 0) return Failed(address_, "bind", error);
  bound_ = true;
  if (chmod(path.c_str(), static_cast<mode_t>(mode)) != 0) return Failed(address_, "chmod", errno);
  return {};
}

Status Listener::OpenTcp() {
  bool six = address_.host.find(':') != std::string::npos;
  fd_ = OpenSocket(six ? AF_INET6 : AF_INET);
  if (fd_ < 0) return Failed(address_, "socket", errno);
  int yes = 1;
  setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  sockaddr_in6 address6{};
  address6.sin6_family = AF_INET6;
  if (six) inet_pton(AF_INET6, address_.host.c_str(), &address6.sin6_addr);
  address6.sin6_port = htons(address_.port);
  sockaddr_in address4{};
  address4.sin_family = AF_INET;
  if (!six) inet_pton(AF_INET, address_.host.c_str(), &address4.sin_addr);
  address4.sin_port = htons(address_.port);
  auto* address =
      six ? reinterpret_cast<sockaddr*>(&address6) : reinterpret_cast<sockaddr*>(&address4);
  socklen_t size = six ? sizeof(address6) : sizeof(address4);
  if (bind(fd_, address, size) != 0) return Failed(address_, "bind", errno);
  if (getsockname(fd_, address, &size) != 0) return Failed(address_, "getsockname", errno);
  address_.port = ntohs(six ? address6.sin6_port : address4.sin_port);
  return {};
}

}  // namespace wb
