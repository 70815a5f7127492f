#pragma once

// A receiver of spans on loopback that answers as the test says.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace wb {

class SpanReceiver {
 public:
  struct Request {
    std::string head;
    std::string body;
  };

  SpanReceiver() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = Loopback();
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        listen(listener_, 16) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      std::abort();
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~SpanReceiver() {
    stopping_ = true;
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  SpanReceiver(const SpanReceiver&) = delete;
  SpanReceiver& operator=(const SpanReceiver&) = delete;

  std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // Of the next request; "200 OK" where nothing is left. Perhaps with header lines.
  void Answer(std::string status) {
    std::lock_guard lock(mutex_);
    answers_.push_back(std::move(status));
  }
  std::vector<Request> AwaitRequests(size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return requests_.size() >= count; });
    return requests_;
  }
  // The spans of all requests, once there is one of that name.
  std::vector<nlohmann::json> AwaitSpan(const std::string& name) {
    std::unique_lock lock(mutex_);
    std::vector<nlohmann::json> spans;
    came_.wait(lock, [&] {
      spans = Spans();
      for (const auto& span : spans) {
        if (span["name"] == name) return true;
      }
      return false;
    });
    return spans;
  }

 private:
  static sockaddr_in Loopback() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  std::vector<nlohmann::json> Spans() const {
    std::vector<nlohmann::json> spans;
    for (const Request& request : requests_) {
      const auto json = nlohmann::json::parse(request.body);
      for (const auto& span : json["resourceSpans"][0]["scopeSpans"][0]["spans"]) {
        spans.push_back(span);
      }
    }
    return spans;
  }
  // A request on each connection.
  void Serve() {
    while (!stopping_) {
      const int connection = accept(listener_, nullptr, nullptr);
      if (connection < 0) continue;
      Take(connection);
      close(connection);
    }
  }
  void Take(int connection) {
    std::string text;
    size_t end = std::string::npos;
    size_t length = 0;
    while (end == std::string::npos || text.size() < end + 4 + length) {
      char buffer[4096];
      const ssize_t count = read(connection, buffer, sizeof buffer);
      if (count <= 0) return;
      text.append(buffer, static_cast<size_t>(count));
      end = text.find("\r\n\r\n");
      const size_t at = text.find("Content-Length: ");
      if (at < end) length = std::strtoul(text.c_str() + at + 16, nullptr, 10);
    }
    std::string status = "200 OK";
    {
      std::lock_guard lock(mutex_);
      if (!answers_.empty()) {
        status = answers_.front();
        answers_.pop_front();
      }
    }
    const std::string answer =
        "HTTP/1.1 " + status + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    (void)!write(connection, answer.data(), answer.size());
    std::lock_guard lock(mutex_);
    requests_.push_back({text.substr(0, end), text.substr(end + 4)});
    came_.notify_all();
  }

  const int listener_;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::string> answers_;
  std::vector<Request> requests_;
  std::thread thread_;
};

}  // namespace wb
