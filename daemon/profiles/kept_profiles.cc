#include "daemon/profiles/kept_profiles.h"

#include <utility>
#include <vector>

namespace wb {

namespace v1 = wasmburst::v1;

Result<std::unique_ptr<KeptProfiles>> KeptProfiles::Open(const std::string& folder) {
  std::unique_ptr<KeptProfiles> profiles(new KeptProfiles());
  if (folder.empty()) return profiles;
  WB_ASSIGN(profiles->blobs_, BlobFolder::Open(folder));
  MutexLock lock(profiles->mutex_);
  for (const BlobFolder::Entry& entry : profiles->blobs_->List()) {
    const Result<Bytes> bytes = profiles->blobs_->Get(entry.digest);
    v1::Profile profile;
    if (!bytes.ok()) continue;  // it was moved away
    if (profile.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) {
      profiles->Add(profile.job(), {entry.digest, entry.bytes, ""});
    } else {
      WB_TRY(profiles->blobs_->Remove(entry.digest));
    }
  }
  return profiles;
}

void KeptProfiles::Add(const std::string& job, Kept kept) {
  Remove(job);
  bytes_ += kept.bytes;
  kept_[job] = std::move(kept);
  while (bytes_ > kMostBytes) Remove(kept_.begin()->first);
}

void KeptProfiles::Remove(const std::string& job) {
  const auto at = kept_.find(job);
  if (at == kept_.end()) return;
  bytes_ -= at->second.bytes;
  // What stays on the disk goes after the next start.
  if (blobs_) (void)blobs_->Remove(at->second.digest);
  kept_.erase(at);
}

Status KeptProfiles::Put(const v1::Profile& profile) {
  std::string text;
  profile.SerializeToString(&text);
  Kept kept{Sha256(AsBytes(text)), text.size(), ""};
  if (blobs_) {
    WB_TRY(blobs_->Put(kept.digest, AsBytes(text)));
  } else {
    kept.text = std::move(text);
  }
  MutexLock lock(mutex_);
  Add(profile.job(), std::move(kept));
  return {};
}

std::optional<v1::Profile> KeptProfiles::Get(const std::string& job) const {
  MutexLock lock(mutex_);
  const auto at = kept_.find(job);
  if (at == kept_.end()) return std::nullopt;
  v1::Profile profile;
  if (!blobs_) {
    profile.ParseFromString(at->second.text);
    return profile;
  }
  const Result<Bytes> bytes = blobs_->Get(at->second.digest);
  if (!bytes.ok() || !profile.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) {
    return std::nullopt;
  }
  return profile;
}

void KeptProfiles::Forget(const std::function<bool(const std::string& job)>& is_known) {
  MutexLock lock(mutex_);
  std::vector<std::string> gone;
  for (const auto& [job, kept] : kept_) {
    if (!is_known(job)) gone.push_back(job);
  }
  for (const std::string& job : gone) Remove(job);
}

}  // namespace wb
