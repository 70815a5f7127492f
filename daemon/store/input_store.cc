#include "daemon/store/input_store.h"

#include <utility>

#include "daemon/process/clock.h"
#include "daemon/process/fair_part.h"
#include "daemon/store/names.h"

namespace wb {

Status NoSuchInput(const Digest& digest) {
  return Status(Reason::kNotFound,
                "There is no input [" + InputName(digest) + "]; upload it (Inputs.UploadInput).",
                {{"resource_type", "input"}, {"resource", InputName(digest)}});
}

namespace {

// A column's data and its room, for all that share the data.
struct DataInRoom {
  std::shared_ptr<const ColumnData> data;
  std::shared_ptr<InputRoom> room;
};

}  // namespace

class MemoryInputStore::Room : public InputRoom {
 public:
  Room(MemoryInputStore* store, Whose whose) : store_(store), whose_(whose), all_(store->bytes_) {}
  ~Room() override {
    Arrive();
    *all_ -= bytes_;
  }
  Status Grow(uint64_t bytes) override {
    WB_TRY(store_->Take(whose_, bytes));
    bytes_ += bytes;
    return {};
  }
  // Its input is stored: it may live longer than the store.
  void Arrive() override {
    if (store_ != nullptr) store_->Arrive(whose_, bytes_);
    store_ = nullptr;
  }

 private:
  MemoryInputStore* store_;  // outlives what is on its way
  const Whose whose_;
  const std::shared_ptr<std::atomic<uint64_t>> all_;
  uint64_t bytes_ = 0;
};

std::unique_ptr<InputRoom> MemoryInputStore::OpenRoom(Whose whose) {
  return std::make_unique<Room>(this, whose);
}

// Of those that only the store holds, the one whose last use is longest ago.
bool MemoryInputStore::EvictOne() {
  auto oldest = inputs_.end();
  for (auto at = inputs_.begin(); at != inputs_.end(); ++at) {
    const Record& record = at->second;
    if (record.input.column.data.use_count() > 1) continue;
    if (oldest == inputs_.end() || record.used < oldest->second.used) oldest = at;
  }
  if (oldest == inputs_.end()) return false;
  inputs_.erase(oldest);
  return true;
}

Status MemoryInputStore::CheckPart(Whose whose, uint64_t bytes) const {
  const Holdings::Held held = on_their_way_.Of(whose);
  const auto refusal = [&](const char* of, uint64_t holds) {
    return Status(Reason::kStoreFull,
                  std::string("Uploads of this ") + of + " that are under way hold [" +
                      std::to_string(holds) + "] bytes; [" + std::to_string(bytes) +
                      "] more would be over half of what others leave of inputs.max_total_bytes [" +
                      std::to_string(limits_.max_bytes) +
                      "]. Upload one after the other, or raise it.");
  };
  if (held.of_connection + bytes > FairPart(limits_.max_bytes, held.all - held.of_connection)) {
    return refusal("connection", held.of_connection);
  }
  if (held.of_tenant + bytes > FairPart(limits_.max_bytes, held.all - held.of_tenant)) {
    return refusal("tenant", held.of_tenant);
  }
  return {};
}

Status MemoryInputStore::Take(Whose whose, uint64_t bytes) {
  MutexLock lock(mutex_);
  WB_TRY(CheckPart(whose, bytes));
  while (bytes > limits_.max_bytes || *bytes_ > limits_.max_bytes - bytes) {
    if (bytes <= limits_.max_bytes && EvictOne()) continue;
    return Status(Reason::kStoreFull,
                  "Inputs that jobs use or that are being uploaded hold [" +
                      std::to_string(*bytes_) + "] bytes; [" + std::to_string(bytes) +
                      "] more would exceed inputs.max_total_bytes [" +
                      std::to_string(limits_.max_bytes) +
                      "]. Try again when some of those jobs have ended, or raise it.");
  }
  *bytes_ += bytes;
  on_their_way_.Add(whose, bytes);
  return {};
}

void MemoryInputStore::Arrive(Whose whose, uint64_t bytes) {
  MutexLock lock(mutex_);
  on_their_way_.Remove(whose, bytes);
}

Result<StoredInput> MemoryInputStore::Put(StoredInput input, std::unique_ptr<InputRoom> room) {
  room->Arrive();
  MutexLock lock(mutex_);
  Record& known = inputs_[input.digest];
  known.used = ++uses_;
  if (known.room != nullptr) return known.input;
  known.room = std::move(room);
  input.create_unix_ns = UnixNow();
  if (input.column.data != nullptr) {
    auto held = std::make_shared<DataInRoom>();
    held->data = std::move(input.column.data);
    held->room = known.room;
    input.column.data = std::shared_ptr<const ColumnData>(held, held->data.get());
  }
  known.input = input;
  // The new one is in use here, so it stays.
  while (inputs_.size() > limits_.max_inputs) {
    if (EvictOne()) continue;
    inputs_.erase(input.digest);
    return Status(Reason::kStoreFull,
                  "Jobs use all of the [" + std::to_string(limits_.max_inputs) +
                      "] inputs that inputs.max_inputs allows. Try again when some of those jobs "
                      "have ended, or raise it.");
  }
  return input;
}

Result<StoredInput> MemoryInputStore::Get(const Digest& digest) {
  MutexLock lock(mutex_);
  auto at = inputs_.find(digest);
  if (at == inputs_.end()) return NoSuchInput(digest);
  at->second.used = ++uses_;
  return at->second.input;
}

Status MemoryInputStore::Delete(const Digest& digest) {
  MutexLock lock(mutex_);
  if (inputs_.erase(digest) == 0) return NoSuchInput(digest);
  return {};
}

bool MemoryInputStore::Has(const Digest& digest) const {
  MutexLock lock(mutex_);
  return inputs_.contains(digest);
}

uint64_t MemoryInputStore::count() const {
  MutexLock lock(mutex_);
  return inputs_.size();
}

uint64_t MemoryInputStore::bytes() const { return *bytes_; }

}  // namespace wb
