#include "daemon/monitoring/http_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <asio/buffer.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/generic/stream_protocol.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "daemon/process/log.h"
#include "daemon/rpc/listener.h"

namespace wb {
namespace {

using HttpSocket = asio::generic::stream_protocol::socket;
using std::chrono::nanoseconds;

// For a client that still sends when it has its answer: a connection that is closed before all was
// read is reset, and the answer lost.
constexpr std::chrono::seconds kLinger{1};
constexpr std::string_view kHeadEnd = "\r\n\r\n";

asio::steady_timer::duration TimerTime(nanoseconds time) {
  return std::chrono::duration_cast<asio::steady_timer::duration>(time);
}

int FamilyOf(const ListenAddress& address) {
  if (address.kind == ListenAddress::Kind::kUnix) return AF_UNIX;
  return address.host == "::1" ? AF_INET6 : AF_INET;
}

}  // namespace

// One connection: reads a head, asks the handler, writes the answer, waits until the client closes.
// All on the thread of the io_context.
class HttpServer::Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Closed = std::function<void(const std::shared_ptr<Connection>&)>;

  Connection(std::shared_ptr<asio::io_context> io, HttpSocket socket, const HttpLimits& limits,
             const HttpHandler& handler, size_t* body_room, Closed closed)
      : io_(std::move(io)),
        socket_(std::move(socket)),
        deadline_(*io_),
        patience_(*io_),
        limits_(limits),
        handler_(handler),
        body_room_(body_room),
        closed_(std::move(closed)) {}

  void Start() {
    After(&deadline_, limits_.connection_time, &Connection::Close);
    Read();
  }

  // Answers without a question, and closes without waiting for one.
  void Refuse() {
    const std::string text = HttpText({503, "Too many connections.\n"});
    asio::error_code ignored;
    socket_.non_blocking(true, ignored);
    socket_.write_some(asio::buffer(text), ignored);
    socket_.shutdown(HttpSocket::shutdown_send, ignored);
    socket_.close(ignored);
  }

  void Close() {
    asio::error_code ignored;
    deadline_.cancel();
    patience_.cancel();
    socket_.close(ignored);
    parts_.reset();
    *body_room_ += std::exchange(body_held_, 0);
    closed_(shared_from_this());
  }

 private:
  // A timer whose time had come before it was cancelled says so behind the end of the connection.
  void After(asio::steady_timer* timer, nanoseconds time, void (Connection::*then)()) {
    timer->expires_after(TimerTime(time));
    timer->async_wait([self = shared_from_this(), then](asio::error_code stopped) {
      if (!self->IsOver(stopped)) (self.get()->*then)();
    });
  }

  // What was done before the connection was closed is told after it: nothing follows from it then,
  // above all no timer that the server's end would wait for.
  bool IsOver(asio::error_code error) const { return error || !socket_.is_open(); }

  void Read() {
    socket_.async_read_some(asio::buffer(part_),
                            [self = shared_from_this()](asio::error_code error, size_t size) {
                              if (self->IsOver(error)) return self->Close();
                              self->Take(size);
                            });
  }

  void Take(size_t size) {
    if (answered_) return Read();  // what comes behind the request is not looked at
    if (has_head_) return TakeBody({part_.data(), size});
    head_.append(part_.data(), size);
    const size_t end = head_.find(kHeadEnd);
    if (end != std::string::npos && end <= limits_.request_bytes) return TakeHead(end);
    if (head_.size() <= limits_.request_bytes) return Read();
    Answer({431, "The request is too long.\n"});
  }

  void TakeHead(size_t end) {
    has_head_ = true;
    std::optional<HttpRequest> request = ParseHttpRequest(head_);
    if (!request) return Answer({400, "This is no request of HTTP/1.\n"});
    request_ = std::move(*request);
    const bool has_body = limits_.body_bytes > 0 && request_.method == "POST";
    if (!has_body) return Ask(limits_.answer_time);
    const std::optional<uint64_t> length = BodyLength(request_);
    if (!length) return Answer({411, "A request with a body says its length.\n"});
    if (*length > limits_.body_bytes) return Answer({413, "The body is too long.\n"});
    if (*length > *body_room_) return Answer({503, "Too many requests with bodies.\n"});
    body_held_ = body_length_ = *length;
    *body_room_ -= body_held_;
    request_.body.reserve(body_length_);
    TakeBody(std::string_view(head_).substr(end + kHeadEnd.size()));
  }

  void TakeBody(std::string_view bytes) {
    request_.body.append(bytes.substr(0, body_length_ - request_.body.size()));
    if (request_.body.size() < body_length_) return Read();
    After(&deadline_, limits_.call_time + limits_.connection_time, &Connection::Close);
    Ask(limits_.call_time);
  }

  void Ask(nanoseconds answer_time) {
    After(&patience_, answer_time, &Connection::GiveUp);
    handler_(std::move(request_), [io = io_, weak = weak_from_this()](HttpAnswer answer) {
      asio::post(*io, [weak, answer = std::move(answer)]() mutable {
        if (const auto self = weak.lock()) self->Answer(std::move(answer));
      });
    });
  }

  void GiveUp() { Answer({503, "There was no answer in time.\n"}); }

  void Answer(HttpAnswer answer) {
    if (std::exchange(answered_, true) || !socket_.is_open()) return;
    patience_.cancel();
    rest_ = answer.rest;
    parts_ = std::move(answer.parts);
    if (parts_ == nullptr) return Write(HttpText(answer), &Connection::Linger);
    answer.parts = parts_;
    Write(HttpText(answer), &Connection::AskForPart);
    Read();  // to hear of it when the client goes
  }

  void Write(std::string text, void (Connection::*then)()) {
    text_ = std::move(text);
    asio::async_write(socket_, asio::buffer(text_),
                      [self = shared_from_this(), then](asio::error_code error, size_t) {
                        if (self->IsOver(error)) return self->Close();
                        (self.get()->*then)();
                      });
  }

  // However long the part takes: the client may go meanwhile, and so may the server.
  void AskForPart() {
    deadline_.cancel();
    parts_->Next([io = io_, weak = weak_from_this()](HttpParts::Part part) {
      asio::post(*io, [weak, part = std::move(part)] {
        if (const auto self = weak.lock()) self->WritePart(part);
      });
    });
  }

  void WritePart(const HttpParts::Part& part) {
    if (!socket_.is_open()) return;
    After(&deadline_, limits_.connection_time, &Connection::Close);
    Write(HttpChunk(part), part.last ? &Connection::Linger : &Connection::Rest);
  }

  void Rest() {
    if (rest_ == nanoseconds(0)) return AskForPart();
    deadline_.cancel();
    After(&patience_, rest_, &Connection::AskForPart);
  }

  void Linger() {
    asio::error_code ignored;
    socket_.shutdown(HttpSocket::shutdown_send, ignored);
    After(&patience_, kLinger, &Connection::Close);
    if (parts_ == nullptr) Read();  // else it is under way
  }

  const std::shared_ptr<asio::io_context> io_;  // also for answers that come after the server's end
  HttpSocket socket_;
  asio::steady_timer deadline_;
  asio::steady_timer patience_;  // with the handler, then with the client
  const HttpLimits& limits_;
  const HttpHandler& handler_;
  size_t* const body_room_;  // of all connections
  const Closed closed_;
  std::array<char, 16384> part_{};
  std::string head_;
  bool has_head_ = false;
  HttpRequest request_;
  size_t body_length_ = 0;
  size_t body_held_ = 0;  // of body_room_
  std::string text_;
  bool answered_ = false;
  std::shared_ptr<HttpParts> parts_;  // of an answer that is being written
  nanoseconds rest_{};
};

class HttpServer::Impl {
 public:
  Impl(std::unique_ptr<Listener> listener, const HttpLimits& limits, HttpHandler handler)
      : limits_(limits), handler_(std::move(handler)), listener_(std::move(listener)) {
    thread_ = std::thread([this] { io_->run(); });
    accepting_ = std::make_unique<AcceptLoop>(
        listener_->fd(), SystemAcceptCalls(),
        [this](int fd) { asio::post(*io_, [this, fd] { Take(fd); }); },
        [](int error) {
          Log(LogLevel::kWarning, "accept_failed",
              {{"address", "metrics"}, {"error", std::strerror(error)}});
        });
  }

  ~Impl() {
    accepting_.reset();
    // Behind the descriptors that it was given. The thread ends when the last of them is closed.
    asio::post(*io_, [this] {
      const std::set<std::shared_ptr<Connection>> open = open_;
      for (const auto& connection : open) connection->Close();
      work_.reset();
    });
    thread_.join();
  }

  const ListenAddress& address() const { return listener_->address(); }

 private:
  // The descriptor is ours.
  void Take(int fd) {
    HttpSocket socket(*io_);
    asio::error_code error;
    socket.assign(asio::generic::stream_protocol(FamilyOf(listener_->address()), 0), fd, error);
    if (error) {
      close(fd);
      return;
    }
    auto connection = std::make_shared<Connection>(
        io_, std::move(socket), limits_, handler_, &body_room_,
        [this](const std::shared_ptr<Connection>& closed) { open_.erase(closed); });
    if (open_.size() >= limits_.connections) return connection->Refuse();
    open_.insert(connection);
    connection->Start();
  }

  const HttpLimits limits_;
  const HttpHandler handler_;
  const std::unique_ptr<Listener> listener_;
  const std::shared_ptr<asio::io_context> io_ = std::make_shared<asio::io_context>(1);
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_->get_executor()};
  std::set<std::shared_ptr<Connection>> open_;  // of the thread
  size_t body_room_ = limits_.bodies_bytes;     // of the thread
  std::thread thread_;
  std::unique_ptr<AcceptLoop> accepting_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::Open(const ListenAddress& address,
                                                     const HttpLimits& limits,
                                                     HttpHandler handler) {
  ListenSetting setting;
  setting.address = address;
  WB_ASSIGN(std::unique_ptr<Listener> listener, Listener::Open(setting));
  auto impl = std::make_unique<Impl>(std::move(listener), limits, std::move(handler));
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

const ListenAddress& HttpServer::address() const { return impl_->address(); }

}  // namespace wb
