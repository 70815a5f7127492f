#pragma once

// A client of the pages that sends what it is told to, byte for byte, as slowly as it is told to.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "daemon/config/address.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

namespace wb {

class HttpProbe {
 public:
  // `receive_bytes`: of the socket's buffer; 0: the system's choice.
  explicit HttpProbe(const ListenAddress& address, int receive_bytes = 0) {
    const bool is_unix = address.kind == ListenAddress::Kind::kUnix;
    fd_ = socket(is_unix ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    if (receive_bytes > 0) {
      setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof(receive_bytes));
    }
    connected_ = is_unix ? ConnectUnix(address.path) : ConnectTcp(address.port);
  }
  ~HttpProbe() { Close(); }
  HttpProbe(const HttpProbe&) = delete;
  HttpProbe& operator=(const HttpProbe&) = delete;

  bool connected() const { return connected_; }
  bool Send(const std::string& bytes) {
    return send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  // All until the server closes, or until the time is over: then "TIMEOUT" stands at the end.
  std::string ReadAll(std::chrono::milliseconds time = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + time;
    std::string all;
    char part[4096];
    while (true) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      pollfd ready{fd_, POLLIN, 0};
      const int count = left.count() <= 0 ? 0 : poll(&ready, 1, static_cast<int>(left.count()));
      if (count < 0 && errno == EINTR) continue;  // a fuzzer has an alarm
      if (count <= 0) return all + "TIMEOUT";
      const ssize_t size = recv(fd_, part, sizeof(part), 0);
      if (size <= 0) return all;
      all.append(part, static_cast<size_t>(size));
    }
  }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  bool ConnectUnix(const std::string& path) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  bool ConnectTcp(uint16_t port) const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }

  int fd_ = -1;
  bool connected_ = false;
};

// The whole answer to a request of these bytes.
inline std::string HttpAsk(const ListenAddress& address, const std::string& request) {
  HttpProbe probe(address);
  if (!probe.connected() || !probe.Send(request)) return "NOT SENT";
  return probe.ReadAll();
}

inline std::string HttpGet(const ListenAddress& address, const std::string& target) {
  return HttpAsk(address, "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

// The number behind HTTP/1.1; -1: there is none.
inline int HttpStatus(const std::string& answer) {
  if (!answer.starts_with("HTTP/1.1 ") || answer.size() < 12) return -1;
  return std::atoi(answer.c_str() + 9);
}

inline std::string HttpBody(const std::string& answer) {
  const size_t at = answer.find("\r\n\r\n");
  return at == std::string::npos ? "" : answer.substr(at + 4);
}

}  // namespace wb
