#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <utility>

#include "daemon/rpc/listener.h"

namespace wb {
namespace {

constexpr std::chrono::milliseconds kRetry{100};
constexpr int kPatientTries = 5;  // a shortage may be over in a moment

int AcceptOne(int listening) {
#ifdef __linux__
  int fd = accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
  int fd = accept(listening, nullptr, nullptr);
  if (fd >= 0) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
  }
#endif
  if (fd < 0) return fd;
  int yes = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));  // no effect on Unix sockets
  return fd;
}

bool OutOfDescriptors(int error) { return error == EMFILE || error == ENFILE; }

bool OutOfResources(int error) {
  return OutOfDescriptors(error) || error == ENOBUFS || error == ENOMEM;
}

// A descriptor for when there are no others.
class ReserveDescriptor {
 public:
  ReserveDescriptor() { Take(); }
  ~ReserveDescriptor() { Give(); }
  ReserveDescriptor(const ReserveDescriptor&) = delete;
  ReserveDescriptor& operator=(const ReserveDescriptor&) = delete;

  bool Take() {
    if (fd_ < 0) fd_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return fd_ >= 0;
  }
  void Give() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

}  // namespace

AcceptCalls SystemAcceptCalls() { return {AcceptOne}; }

// Everything but Stop runs on the loop's own thread.
class AcceptLoop::Loop {
 public:
  Loop(int listening, AcceptCalls calls, std::function<void(int)> connected,
       std::function<void(int)> failed)
      : listening_(io_, listening),
        retry_(io_),
        calls_(std::move(calls)),
        connected_(std::move(connected)),
        failed_(std::move(failed)) {
    AwaitConnection();
  }
  ~Loop() { listening_.release(); }  // the Listener owns the descriptor

  void Run() { io_.run(); }
  void Stop() { io_.stop(); }

 private:
  void AwaitConnection() {
    listening_.async_wait(asio::posix::stream_descriptor::wait_read,
                          [this](asio::error_code error) {
                            if (!error) AcceptConnection();
                          });
  }

  void AcceptConnection() {
    const int fd = calls_.accept(listening_.native_handle());
    const int error = errno;
    if (fd >= 0) {
      failed_tries_ = 0;
      reserve_.Take();
      connected_(fd);
    }
    // Other errors: the client is gone already, or another process was faster.
    if (fd >= 0 || !OutOfResources(error)) return AwaitConnection();
    if (failed_tries_ == 0) failed_(error);
    failed_tries_ = std::min(failed_tries_ + 1, kPatientTries);
    const bool lasts = OutOfDescriptors(error) && failed_tries_ == kPatientTries;
    if (lasts && TurnAway()) return AwaitConnection();
    AwaitResources();
  }

  // With the reserve. False: another thread of the process took that, or there was none.
  bool TurnAway() {
    reserve_.Give();
    const int fd = calls_.accept(listening_.native_handle());
    if (fd >= 0) close(fd);
    return reserve_.Take() && fd >= 0;
  }

  void AwaitResources() {
    // The connection that waits keeps the listener readable: sleep without watching it.
    retry_.expires_after(kRetry);
    retry_.async_wait([this](asio::error_code stopped) {
      if (!stopped) AwaitConnection();
    });
  }

  asio::io_context io_{1};
  asio::posix::stream_descriptor listening_;
  asio::steady_timer retry_;
  ReserveDescriptor reserve_;
  const AcceptCalls calls_;
  const std::function<void(int)> connected_;
  const std::function<void(int)> failed_;
  int failed_tries_ = 0;  // in a row; the first is reported
};

AcceptLoop::AcceptLoop(int listening, AcceptCalls calls, std::function<void(int)> connected,
                       std::function<void(int)> failed)
    : loop_(std::make_unique<Loop>(listening, std::move(calls), std::move(connected),
                                   std::move(failed))) {
  thread_ = std::thread([this] { loop_->Run(); });
}

AcceptLoop::~AcceptLoop() {
  loop_->Stop();
  thread_.join();
}

}  // namespace wb
