#include "daemon/process/notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

namespace wb {

void NotifySystem(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  size_t length = std::strlen(path);
  if (length >= sizeof(address.sun_path)) return;
  std::memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';  // abstract
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (fd < 0) return;
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  sendto(fd, state.data(), state.size(), 0, reinterpret_cast<sockaddr*>(&address), size);
  close(fd);
}

std::optional<std::chrono::nanoseconds> WatchdogInterval() {
  const char* pid = std::getenv("WATCHDOG_PID");
  const char* microseconds = std::getenv("WATCHDOG_USEC");
  if (microseconds == nullptr) return std::nullopt;
  if (pid != nullptr && std::string(pid) != std::to_string(getpid())) return std::nullopt;
  long long value = std::atoll(microseconds);
  if (value <= 0) return std::nullopt;
  return std::chrono::microseconds(value) / 2;
}

}  // namespace wb
