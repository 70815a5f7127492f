#pragma once

// Channel: length-prefixed messages over one end of a socket pair, each with at most one file
// descriptor. Send from any thread, Receive from one.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "scheduler/base/unique_fd.h"

namespace wb {

class Channel {
 public:
  static constexpr uint32_t kMaxMessageBytes = uint32_t{512} << 20;

  struct Message {
    std::string bytes;
    UniqueFd fd;  // ok() if one came with it
  };

  // `most`: bytes of a message, on both ends alike.
  explicit Channel(UniqueFd socket, uint32_t most = kMaxMessageBytes)
      : most_(most), socket_(std::move(socket)) {}

  // LIMIT_TOO_HIGH: a message of so many bytes is too long for Send. `way`, for the error: "to the
  // engine host of the device [cpu0]".
  Status CheckFits(uint64_t bytes, const std::string& way) const;
  // False: the other end is gone, or did not read for the time that SetSendTimeout gave. The
  // channel is then of no use. The message fits. `fd` stays the caller's; -1: none.
  bool Send(const std::string& bytes, int fd = -1) WB_EXCLUDES(sending_);
  // nullopt: the other end is gone, or sent something that no sound end sends.
  std::optional<Message> Receive();

  uint64_t received() const { return received_; }  // bytes; any thread
  void SetSendTimeout(int seconds);
  void Shutdown();  // ends Receive and Send on both ends; any thread

 private:
  bool SendAll(const char* bytes, size_t size, int fd) WB_REQUIRES(sending_);
  bool ReceiveAll(char* bytes, size_t size, UniqueFd* fd);

  const uint32_t most_;
  const UniqueFd socket_;
  std::atomic<uint64_t> received_{0};
  Mutex sending_;
};

// Two connected ends, both closed on exec. ok() false with errno when that failed.
std::pair<UniqueFd, UniqueFd> MakeSocketPair();

}  // namespace wb
