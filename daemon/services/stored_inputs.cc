#include "daemon/services/stored_inputs.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "daemon/translate/input_column.h"

namespace wb {
namespace {

bool IsInputInUse(const ServiceContext& context, const Digest& digest) {
  const std::vector<JobInfo> jobs = context.intake->store().List(ActiveJobs(), "", SIZE_MAX).jobs;
  // What jobs of other daemons use is not known here.
  if (context.is_shared && !jobs.empty()) return true;
  return std::any_of(jobs.begin(), jobs.end(), [&digest](const JobInfo& job) {
    const std::vector<SharedHold>& inputs = job.request->inputs.shared;
    return std::any_of(inputs.begin(), inputs.end(),
                       [&digest](const SharedHold& hold) { return hold.key == digest; });
  });
}

// Until the bytes, and one more input, fit beside what is left.
Status MakeRoom(const ServiceContext& context, uint64_t bytes) {
  WB_ASSIGN(std::vector<BlobStore::Entry> entries, context.input_blobs->Entries());
  uint64_t held = bytes;
  for (const BlobStore::Entry& entry : entries) held += entry.bytes;
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.unix_ns < b.unix_ns; });
  const std::shared_ptr<const Config> config = context.config->Get();
  size_t kept = entries.size();
  for (const BlobStore::Entry& entry : entries) {
    if (held <= config->max_inputs_bytes && kept < config->max_inputs) return {};
    if (IsInputInUse(context, entry.digest)) continue;
    if (!context.input_blobs->Remove(entry.digest).ok()) continue;
    held -= entry.bytes;
    --kept;
  }
  return {};
}

}  // namespace

void ForgetOwnersOfGoneInputs(const ServiceContext& context) {
  if (context.owners->count(OwnedKind::kInput) <= 2 * context.config->Get()->max_inputs) return;
  std::set<Digest> stored;
  if (context.input_blobs != nullptr) {
    const Result<std::vector<BlobStore::Entry>> entries = context.input_blobs->Entries();
    if (!entries.ok()) return;  // what is not known to be gone keeps its owner
    for (const BlobStore::Entry& entry : *entries) stored.insert(entry.digest);
  }
  for (const Digest& digest : context.owners->All(OwnedKind::kInput)) {
    if (stored.contains(digest) || context.inputs->Has(digest)) continue;
    (void)context.owners->RemoveAll(OwnedKind::kInput, digest);
  }
}

Status KeepInput(const ServiceContext& context, const Digest& digest, ByteView bytes) {
  if (context.input_blobs == nullptr) return {};
  if (context.disk_alarm != nullptr) WB_TRY(context.disk_alarm->Admit());
  WB_TRY(MakeRoom(context, bytes.size()));
  return context.input_blobs->Put(digest, bytes);
}

void ForgetInput(const ServiceContext& context, const Digest& digest) {
  if (context.input_blobs == nullptr || IsInputInUse(context, digest)) return;
  (void)context.input_blobs->Remove(digest);
}

Result<StoredInput> InputOf(const ServiceContext& context, const Digest& digest) {
  Result<StoredInput> known = context.inputs->Get(digest);
  if (known.ok() || context.input_blobs == nullptr) return known;
  Result<Bytes> bytes = context.input_blobs->Get(digest);
  if (!bytes.ok()) return bytes.status().reason() == Reason::kNotFound ? known : bytes.status();
  std::unique_ptr<InputRoom> room = context.inputs->OpenRoom({});
  WB_TRY(room->Grow(bytes->size()));
  ByteBlock block = ByteBlock::Of(bytes->size());
  std::memcpy(block.bytes.get(), bytes->data(), bytes->size());
  StoredInput input;
  input.digest = digest;
  input.size_bytes = bytes->size();
  WB_ASSIGN(input.column, ReadInputColumn(std::move(block), digest,
                                          [&room](uint64_t more) { return room->Grow(more); }));
  input.values = input.column.count();
  context.input_blobs->Touch(digest);
  return context.inputs->Put(std::move(input), std::move(room));
}

Status DeleteInput(const ServiceContext& context, const Digest& digest) {
  const bool was_in_memory = context.inputs->Delete(digest).ok();
  if (context.input_blobs == nullptr || IsInputInUse(context, digest)) {
    return was_in_memory ? Status() : NoSuchInput(digest);
  }
  if (!was_in_memory) WB_TRY(InputOf(context, digest).status());
  (void)context.inputs->Delete(digest);
  return context.input_blobs->Remove(digest);
}

}  // namespace wb
