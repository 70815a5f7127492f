#include "daemon/rpc/inherited_sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace wb {
namespace {

constexpr long kMostSockets = 1024;

long NumberOfVariable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

// Without its scheme: TCP and TLS sockets look alike.
std::string PlaceOf(const ListenAddress& address) {
  const std::string text = address.ToString();
  return text.substr(text.find("://") + 3);
}

std::string PlaceOf(const sockaddr_in& address) {
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &address.sin_addr, text, sizeof(text));
  return std::string(text) + ":" + std::to_string(ntohs(address.sin_port));
}

std::string PlaceOf(const sockaddr_in6& address) {
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof(text));
  return "[" + std::string(text) + "]:" + std::to_string(ntohs(address.sin6_port));
}

// Of a listening socket; "": it is none that we know.
std::string PlaceOfSocket(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "";
  if (address.ss_family == AF_INET) return PlaceOf(reinterpret_cast<sockaddr_in&>(address));
  if (address.ss_family == AF_INET6) return PlaceOf(reinterpret_cast<sockaddr_in6&>(address));
  if (address.ss_family != AF_UNIX || size <= offsetof(sockaddr_un, sun_path)) return "";
  return reinterpret_cast<sockaddr_un&>(address).sun_path;
}

}  // namespace

InheritedSockets InheritedSockets::FromEnvironment(int first) {
  InheritedSockets inherited;
  const bool is_ours = NumberOfVariable("LISTEN_PID") == static_cast<long>(getpid());
  const long count = is_ours ? NumberOfVariable("LISTEN_FDS") : 0;
  for (int fd = first; fd < first + count && count <= kMostSockets; ++fd) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    inherited.sockets_.push_back({fd, PlaceOfSocket(fd)});
  }
  // Not for the programs that the daemon starts.
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) unsetenv(name);
  return inherited;
}

InheritedSockets::InheritedSockets(InheritedSockets&& other) noexcept
    : sockets_(std::exchange(other.sockets_, {})) {}

InheritedSockets::~InheritedSockets() {
  for (const Socket& socket : sockets_) close(socket.fd);
}

int InheritedSockets::Take(const ListenAddress& address) {
  const std::string place = PlaceOf(address);
  for (auto at = sockets_.begin(); at != sockets_.end(); ++at) {
    if (at->address != place) continue;
    const int fd = at->fd;
    sockets_.erase(at);
    return fd;
  }
  return -1;
}

std::vector<std::string> InheritedSockets::left() const {
  std::vector<std::string> left;
  for (const Socket& socket : sockets_) left.push_back(socket.address);
  return left;
}

}  // namespace wb
