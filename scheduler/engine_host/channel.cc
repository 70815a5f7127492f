#include "scheduler/engine_host/channel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "compiler/base/check.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr size_t kHeadBytes = 4;
constexpr size_t kReadAtOnce = size_t{1} << 20;

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;
#endif
#ifdef MSG_CMSG_CLOEXEC
constexpr int kReceiveFlags = MSG_CMSG_CLOEXEC;
#else
constexpr int kReceiveFlags = 0;
#endif

struct FdSpace {
  alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(int))] = {};
};

void AttachFd(msghdr& message, FdSpace& space, int fd) {
  message.msg_control = space.bytes;
  message.msg_controllen = sizeof(space.bytes);
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &fd, sizeof(int));
}

UniqueFd DetachFd(msghdr& message) {
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(head), sizeof(int));
    return UniqueFd(fd);
  }
  return {};
}

}  // namespace

std::pair<UniqueFd, UniqueFd> MakeSocketPair() {
  int ends[2] = {-1, -1};
#ifdef SOCK_CLOEXEC
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return {};
#else
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return {};
  for (int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#endif
#ifdef SO_NOSIGPIPE
  const int on = 1;
  for (int end : ends) ::setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#endif
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

bool Channel::SendAll(const char* bytes, size_t size, int fd) {
  while (size > 0) {
    iovec part{const_cast<char*>(bytes), size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    FdSpace space;
    if (fd >= 0) AttachFd(message, space, fd);
    const ssize_t sent = ::sendmsg(socket_.get(), &message, kSendFlags);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    fd = -1;
    bytes += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

Status Channel::CheckFits(uint64_t bytes, const std::string& way) const {
  if (bytes <= most_) return {};
  return Status(Reason::kLimitTooHigh,
                "A message of " + Quoted(bytes) + " bytes " + way + " is beyond the bound of " +
                    Quoted(uint64_t{most_}) +
                    ". It holds a module or its kernel; the module is too large for the device.");
}

bool Channel::Send(const std::string& bytes, int fd) {
  WB_CHECK(bytes.size() <= most_);
  char head[kHeadBytes];
  for (size_t i = 0; i < kHeadBytes; ++i) head[i] = static_cast<char>(bytes.size() >> (8 * i));
  MutexLock lock(sending_);
  return SendAll(head, kHeadBytes, fd) && SendAll(bytes.data(), bytes.size(), -1);
}

bool Channel::ReceiveAll(char* bytes, size_t size, UniqueFd* fd) {
  while (size > 0) {
    iovec part{bytes, size};
    FdSpace space;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.bytes;
    message.msg_controllen = sizeof(space.bytes);
    const ssize_t got = ::recvmsg(socket_.get(), &message, kReceiveFlags);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    UniqueFd came = DetachFd(message);
    if (came.ok()) *fd = std::move(came);
    received_ += static_cast<uint64_t>(got);
    bytes += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

std::optional<Channel::Message> Channel::Receive() {
  Message message;
  char head[kHeadBytes];
  if (!ReceiveAll(head, kHeadBytes, &message.fd)) return std::nullopt;
  uint32_t size = 0;
  for (size_t i = 0; i < kHeadBytes; ++i) {
    size |= uint32_t{static_cast<unsigned char>(head[i])} << (8 * i);
  }
  if (size > most_) return std::nullopt;
  // The bytes are read piece by piece, so that a length alone costs no memory.
  while (message.bytes.size() < size) {
    const size_t at = message.bytes.size();
    message.bytes.resize(std::min<size_t>(size, at + kReadAtOnce));
    if (!ReceiveAll(message.bytes.data() + at, message.bytes.size() - at, &message.fd)) {
      return std::nullopt;
    }
  }
  return message;
}

void Channel::SetSendTimeout(int seconds) {
  timeval time{};
  time.tv_sec = seconds;
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
}

void Channel::Shutdown() { ::shutdown(socket_.get(), SHUT_RDWR); }

}  // namespace wb
