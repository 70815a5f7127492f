#include "client/cli/run/input_lines.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace wb::cli {
namespace {

constexpr size_t kBlock = 64 << 10;
constexpr int kLookMs = 100;
constexpr size_t kLongestLine = size_t{64} << 20;

}  // namespace

InputLines::InputLines(int descriptor, std::function<Status()> goes_on)
    : descriptor_(descriptor), goes_on_(std::move(goes_on)) {}

Status InputLines::Wait() const {
  pollfd input = {descriptor_, POLLIN, 0};
  do {
    WB_TRY(goes_on_());
  } while (poll(&input, 1, kLookMs) == 0);
  return {};
}

Status InputLines::Read() {
  bytes_.erase(0, at_);
  at_ = 0;
  WB_TRY(Wait());
  const size_t before = bytes_.size();
  bytes_.resize(before + kBlock);
  const ssize_t read = ::read(descriptor_, bytes_.data() + before, kBlock);
  bytes_.resize(before + static_cast<size_t>(std::max<ssize_t>(read, 0)));
  if (read < 0 && errno != EINTR && errno != EAGAIN) {
    return Status(Reason::kIoError,
                  std::string("Lines cannot be read (") + std::strerror(errno) + ").");
  }
  has_ended_ = read == 0;
  return {};
}

Result<std::optional<std::string>> InputLines::Next() {
  size_t end = bytes_.find('\n', at_);
  while (end == std::string::npos && !has_ended_) {
    const size_t looked = bytes_.size() - at_;
    if (looked > kLongestLine) {
      return Status(Reason::kInvalidArgument,
                    "A line of standard input has more than [" + std::to_string(kLongestLine) +
                        "] bytes; give long inputs as files (--each-file, --stdin-from).");
    }
    WB_TRY(Read());
    end = bytes_.find('\n', at_ + looked);
  }
  if (end == std::string::npos && at_ == bytes_.size()) return std::optional<std::string>();
  std::string line = bytes_.substr(at_, end == std::string::npos ? end : end - at_);
  at_ = end == std::string::npos ? bytes_.size() : end + 1;
  if (line.ends_with('\r')) line.pop_back();
  return std::optional<std::string>(std::move(line));
}

}  // namespace wb::cli
