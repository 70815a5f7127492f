#include "daemon/blobs/s3_blobs.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "daemon/blobs/s3_answer.h"
#include "daemon/process/log.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr const char* kDamaged = "damaged/";
constexpr uint64_t kMostPage = uint64_t{16} << 20;  // of 1,000 objects, some hundred bytes each
constexpr std::chrono::hours kTouchAgain{1};
constexpr size_t kMostTouched = 65536;

std::optional<Digest> DigestOf(const std::string& key) {
  return Digest::FromHex(key.substr(key.rfind('/') + 1));
}

}  // namespace

Result<std::vector<BlobStore::Entry>> S3Blobs::Entries() const {
  std::vector<Entry> entries;
  S3Request request;
  request.operation = S3Operation::kList;
  request.object = kind_ + "/";
  request.most = kMostPage;
  std::string token;
  do {
    request.query = (token.empty() ? "" : "continuation-token=" + Escaped(token) + "&") +
                    std::string("list-type=2");
    WB_ASSIGN(const S3Answer answer, client_->Send(request));
    WB_ASSIGN(S3Page page, ParseS3Page(AsText(answer.body)));
    for (const S3Object& object : page.objects) {
      const std::optional<Digest> digest = DigestOf(object.key);
      if (digest) entries.push_back({*digest, object.bytes, object.unix_ns});
    }
    token = std::move(page.next);
  } while (!token.empty());
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.digest < b.digest; });
  return entries;
}

// An object of another length is one that somebody else made: it is replaced.
Status S3Blobs::Put(const Digest& digest, ByteView bytes) const {
  S3Request look;
  look.operation = S3Operation::kHead;
  look.object = ObjectOf(digest);
  const Result<S3Answer> there = client_->Send(look);
  if (there.ok() && there->bytes == bytes.size()) return {};
  if (!there.ok() && there.status().reason() != Reason::kNotFound) return there.status();
  S3Request request;
  request.operation = S3Operation::kPut;
  request.object = look.object;
  request.body = bytes;
  request.digest = digest.Hex();
  return client_->Send(request).status();
}

Result<Bytes> S3Blobs::Read(const Digest& digest) const {
  S3Request request;
  request.operation = S3Operation::kGet;
  request.object = ObjectOf(digest);
  request.most = most_;
  Result<S3Answer> answer = client_->Send(request);
  if (answer.ok()) return std::move(answer->body);
  if (answer.status().reason() != Reason::kNotFound) return answer.status();
  return Status(Reason::kNotFound, "There is no object " + Quoted(request.object) +
                                       " in the store at " + Quoted(client_->place()) + ".");
}

// What was damaged on its way is whole the second time.
Result<Bytes> S3Blobs::Get(const Digest& digest) const {
  for (int tries = 0; tries < 2; ++tries) {
    WB_ASSIGN(Bytes bytes, Read(digest));
    if (Sha256(bytes) == digest) return bytes;
  }
  const Status aside = PutAside(digest);
  Log(LogLevel::kError, "blob_damaged",
      {{"kind", kind_}, {"blob", digest.Hex()}, {"put_aside", aside.ok() ? "yes" : "no"}});
  return Status(Reason::kBlobCorrupt,
                "The object " + Quoted(ObjectOf(digest)) + " is damaged in the store at " +
                    Quoted(client_->place()) + ". It was moved to " +
                    Quoted(kDamaged + ObjectOf(digest)) + "; upload it again.",
                {{"store", client_->place()}});
}

Status S3Blobs::PutAside(const Digest& digest) const {
  S3Request request;
  request.operation = S3Operation::kCopy;
  request.source = ObjectOf(digest);
  request.object = kDamaged + request.source;
  WB_TRY(client_->Send(request).status());
  return Remove(digest);
}

void S3Blobs::Touch(const Digest& digest) const {
  {
    const MutexLock lock(mutex_);
    const TimePoint now = std::chrono::steady_clock::now();
    if (touched_.size() >= kMostTouched) touched_.clear();
    const auto [at, is_new] = touched_.try_emplace(digest, now);
    if (!is_new && now - at->second < kTouchAgain) return;
    at->second = now;
  }
  S3Request request;
  request.operation = S3Operation::kCopy;
  request.object = request.source = ObjectOf(digest);
  (void)client_->Send(request);
}

Status S3Blobs::Remove(const Digest& digest) const {
  {
    const MutexLock lock(mutex_);
    touched_.erase(digest);
  }
  S3Request request;
  request.operation = S3Operation::kDelete;
  request.object = ObjectOf(digest);
  const Status removed = client_->Send(request).status();
  return removed.reason() == Reason::kNotFound ? Status() : removed;
}

}  // namespace wb
