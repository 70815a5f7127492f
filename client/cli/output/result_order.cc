#include "client/cli/output/result_order.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

Status FileFailed() {
  return Status(Reason::kIoError,
                std::string("The temporary file for results that wait for their turn (--ordered) "
                            "failed: ") +
                    std::strerror(errno) + ". TMPDIR names its folder.");
}

bool WriteAt(std::FILE* file, uint64_t at, const void* bytes, size_t size) {
  return pwrite(fileno(file), bytes, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
}

bool ReadAt(std::FILE* file, uint64_t at, void* bytes, size_t size) {
  return pread(fileno(file), bytes, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
}

// A file without a name, in TMPDIR.
std::FILE* OpenUnnamed() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder == nullptr ? "/tmp" : folder) + "/wasmburstctl-XXXXXX";
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return nullptr;
  unlink(path.c_str());
  return fdopen(descriptor, "w+b");
}

}  // namespace

ResultOrder::ResultOrder(Take take, uint64_t first, uint64_t most_bytes)
    : take_(std::move(take)), most_bytes_(most_bytes), next_(first), end_(first) {}

Status ResultOrder::Add(const v1::InstanceResult& result) {
  const uint64_t instance = result.instance();
  end_ = std::max(end_, instance + 1);
  if (instance == next_) {
    take_(result);
    ++next_;
    return PassOn();
  }
  const uint64_t bytes = result.ByteSizeLong() + sizeof(result);
  if (early_bytes_ + bytes > most_bytes_) return Spill(result);
  early_bytes_ += bytes;
  early_[instance] = result;
  return {};
}

Status ResultOrder::PassOn() {
  while (true) {
    WB_ASSIGN(const bool came, TakeNext());
    if (!came) return {};
    ++next_;
  }
}

Result<bool> ResultOrder::TakeNext() {
  if (!early_.empty() && early_.begin()->first == next_) {
    const v1::InstanceResult& result = early_.begin()->second;
    early_bytes_ -= result.ByteSizeLong() + sizeof(result);
    take_(result);
    early_.erase(early_.begin());
    return true;
  }
  return waiting_ > 0 ? TakeSpilled() : Result<bool>(false);
}

Status ResultOrder::Spill(const v1::InstanceResult& result) {
  if (results_ == nullptr) {
    results_.reset(OpenUnnamed());
    places_.reset(OpenUnnamed());
    if (results_ == nullptr || places_ == nullptr) return FileFailed();
  }
  const std::string bytes = result.SerializeAsString();
  const uint64_t size = bytes.size();
  const uint64_t place = results_end_ + 1;
  if (!WriteAt(results_.get(), results_end_, &size, sizeof(size)) ||
      !WriteAt(results_.get(), results_end_ + sizeof(size), bytes.data(), bytes.size()) ||
      !WriteAt(places_.get(), result.instance() * sizeof(place), &place, sizeof(place))) {
    return FileFailed();
  }
  results_end_ += sizeof(size) + bytes.size();
  ++spilled_;
  ++waiting_;
  return {};
}

Result<bool> ResultOrder::TakeSpilled() {
  uint64_t place = 0, size = 0;
  // Behind the end of the file no instance waits.
  if (!ReadAt(places_.get(), next_ * sizeof(place), &place, sizeof(place)) || place == 0)
    return false;
  if (!ReadAt(results_.get(), place - 1, &size, sizeof(size))) return FileFailed();
  std::string bytes(size, '\0');
  v1::InstanceResult result;
  if (!ReadAt(results_.get(), place - 1 + sizeof(size), bytes.data(), size) ||
      !result.ParseFromString(bytes)) {
    return FileFailed();
  }
  --waiting_;
  if (waiting_ == 0) results_end_ = 0;  // its room is used again
  take_(result);
  return true;
}

Status ResultOrder::Finish() {
  for (; next_ < end_ && (waiting_ > 0 || !early_.empty()); ++next_) {
    if (waiting_ == 0 && next_ < early_.begin()->first) next_ = early_.begin()->first;
    WB_ASSIGN([[maybe_unused]] const bool came, TakeNext());
  }
  return {};
}

}  // namespace wb::cli
