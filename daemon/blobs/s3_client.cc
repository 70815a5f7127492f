#include "daemon/blobs/s3_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "compiler/base/digest.h"
#include "daemon/blobs/s3_answer.h"
#include "daemon/process/log.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr const char* kAgent = "wasmburstd/" WB_VERSION;
constexpr long kLeastBytesPerSecond = 1024;
constexpr size_t kMostHandles = 16;
constexpr uint64_t kMostRefusal = 64 << 10;
constexpr int kPauseGrows = 4;

// What libcurl answers where asking again helps nothing.
constexpr CURLcode kLasting[] = {CURLE_UNSUPPORTED_PROTOCOL, CURLE_FAILED_INIT,
                                 CURLE_URL_MALFORMAT,        CURLE_NOT_BUILT_IN,
                                 CURLE_OUT_OF_MEMORY,        CURLE_PEER_FAILED_VERIFICATION,
                                 CURLE_SSL_CACERT_BADFILE,   CURLE_BAD_FUNCTION_ARGUMENT,
                                 CURLE_FILESIZE_EXCEEDED,    CURLE_AUTH_ERROR};

// A body on its way there, which may have to begin again.
struct Sending {
  ByteView body;
  size_t at = 0;
};

size_t Give(char* to, size_t size, size_t count, void* sending) {
  auto* const it = static_cast<Sending*>(sending);
  const size_t bytes = std::min(size * count, it->body.size() - it->at);
  std::copy_n(it->body.begin() + static_cast<ptrdiff_t>(it->at), bytes, to);
  it->at += bytes;
  return bytes;
}

int BeginAgain(void* sending, curl_off_t offset, int origin) {
  if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
  static_cast<Sending*>(sending)->at = static_cast<size_t>(offset);
  return CURL_SEEKFUNC_OK;
}

struct Taking {
  Bytes body;
  uint64_t most = 0;
};

// Less than was offered ends the request with an error.
size_t Take(char* from, size_t size, size_t count, void* taking) {
  auto* const it = static_cast<Taking*>(taking);
  const size_t bytes = size * count;
  if (bytes > it->most - it->body.size()) return 0;
  it->body.insert(it->body.end(), from, from + bytes);
  return bytes;
}

struct HeaderList {
  ~HeaderList() { curl_slist_free_all(lines); }
  bool Add(const std::string& line) {
    curl_slist* const longer = curl_slist_append(lines, line.c_str());
    if (longer != nullptr) lines = longer;
    return longer != nullptr;
  }
  curl_slist* lines = nullptr;
};

void SetMethod(CURL* handle, S3Operation operation, Sending* sending) {
  switch (operation) {
    case S3Operation::kGet:
    case S3Operation::kList: curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L); break;
    case S3Operation::kHead: curl_easy_setopt(handle, CURLOPT_NOBODY, 1L); break;
    case S3Operation::kDelete: curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, "DELETE"); break;
    case S3Operation::kPut:
    case S3Operation::kCopy:
      curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt(handle, CURLOPT_READFUNCTION, &Give);
      curl_easy_setopt(handle, CURLOPT_READDATA, sending);
      curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, &BeginAgain);
      curl_easy_setopt(handle, CURLOPT_SEEKDATA, sending);
      curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE,
                       static_cast<curl_off_t>(sending->body.size()));
      break;
  }
}

void SetKeys(CURL* handle, const std::string& region, const S3Keys& keys) {
  curl_easy_setopt(handle, CURLOPT_AWS_SIGV4, ("aws:amz:" + region + ":s3").c_str());
  curl_easy_setopt(handle, CURLOPT_USERNAME, keys.id.c_str());
  curl_easy_setopt(handle, CURLOPT_PASSWORD, keys.secret.c_str());
}

void SetPace(CURL* handle, const S3Pace& pace) {
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(pace.connect.count()));
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, kLeastBytesPerSecond);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(pace.stalled.count()));
}

std::string PlaceOf(const S3Address& address) {
  const std::string place = address.origin + "/" + address.bucket + "/" + address.prefix;
  return place.substr(0, place.size() - 1);
}

// Clients that wait for the same server do not come back at the same moment.
nanoseconds Around(nanoseconds pause) {
  thread_local std::minstd_rand random{std::random_device{}()};
  return pause / 2 + pause * static_cast<int>(random() % 100) / 100;
}

}  // namespace

const char* S3OperationName(S3Operation operation) {
  constexpr const char* kNames[] = {"put", "get", "head", "copy", "delete", "list"};
  return kNames[static_cast<size_t>(operation)];
}

struct S3Client::Handle {
  ~Handle() { curl_easy_cleanup(curl); }
  CURL* const curl = curl_easy_init();
};

S3Client::S3Client(Parts parts) : parts_(std::move(parts)), place_(PlaceOf(parts_.address)) {}

S3Client::~S3Client() = default;

Result<std::shared_ptr<const S3Client>> S3Client::Open(Parts parts) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);  // to the process's end
  std::shared_ptr<const S3Client> client(new S3Client(std::move(parts)));
  std::unique_ptr<Handle> handle = client->TakeHandle();
  if (started != CURLE_OK || handle->curl == nullptr ||
      curl_easy_setopt(handle->curl, CURLOPT_AWS_SIGV4, "aws:amz:region:s3") != CURLE_OK) {
    return Status(Reason::kIoError,
                  "The library for HTTP cannot start, or cannot sign requests to an object store; "
                  "libcurl 7.75 or newer can.");
  }
  client->KeepHandle(std::move(handle));
  return client;
}

std::unique_ptr<S3Client::Handle> S3Client::TakeHandle() const {
  const MutexLock lock(mutex_);
  if (handles_.empty()) return std::make_unique<Handle>();
  std::unique_ptr<Handle> handle = std::move(handles_.back());
  handles_.pop_back();
  return handle;
}

void S3Client::KeepHandle(std::unique_ptr<Handle> handle) const {
  const MutexLock lock(mutex_);
  if (handles_.size() < kMostHandles) handles_.push_back(std::move(handle));
}

std::string S3Client::UrlOf(const S3Request& request) const {
  const std::string bucket = parts_.address.origin + "/" + parts_.address.bucket;
  if (request.operation != S3Operation::kList) {
    return bucket + "/" + parts_.address.prefix + request.object;
  }
  return bucket + "?" + request.query +
         "&prefix=" + Escaped(parts_.address.prefix + request.object);
}

std::vector<std::string> S3Client::HeadersOf(const S3Request& request, const S3Keys& keys) const {
  const std::string digest = request.digest.empty() ? Sha256({}).Hex() : request.digest;
  // Older versions of libcurl sign each of these, whether it is sent or not.
  std::vector<std::string> lines = {"x-amz-content-sha256: " + digest};
  if (!request.source.empty()) {
    lines.push_back("x-amz-copy-source: /" + parts_.address.bucket + "/" + parts_.address.prefix +
                    request.source);
    lines.emplace_back("x-amz-metadata-directive: REPLACE");
  }
  if (!keys.session_token.empty()) lines.push_back("x-amz-security-token: " + keys.session_token);
  return lines;
}

Result<S3Answer> S3Client::Try(const S3Request& request, bool* may_pass) const {
  WB_ASSIGN(const S3Keys keys, parts_.keys());
  std::unique_ptr<Handle> handle = TakeHandle();
  CURL* const curl = handle->curl;
  curl_easy_reset(curl);
  Sending sending{request.body};
  Taking taking{{}, std::max(request.most, kMostRefusal)};
  HeaderList headers;
  bool is_ready = true;
  for (const std::string& line : HeadersOf(request, keys)) is_ready = headers.Add(line) && is_ready;
  curl_easy_setopt(curl, CURLOPT_URL, UrlOf(request).c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.lines);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, kAgent);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &taking);
  if (!parts_.ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, parts_.ca_file.c_str());
  SetMethod(curl, request.operation, &sending);
  SetKeys(curl, parts_.region, keys);
  SetPace(curl, parts_.pace);
  const CURLcode code = is_ready ? curl_easy_perform(curl) : CURLE_OUT_OF_MEMORY;
  if (code == CURLE_WRITE_ERROR) {
    return Status(Reason::kIoError,
                  "The object store at " + Quoted(place_) + " gives more than the " +
                      Quoted(request.most) + " bytes that " + Quoted(request.object) + " may have.",
                  {{"store", place_}});
  }
  if (code != CURLE_OK) {
    *may_pass = std::find(std::begin(kLasting), std::end(kLasting), code) == std::end(kLasting);
    return Status(Reason::kMachineFault,
                  "The object store at " + Quoted(place_) +
                      " does not answer: " + curl_easy_strerror(code) + ".",
                  {{"store", place_}});
  }
  S3Answer answer;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  curl_off_t length = 0;
  curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  KeepHandle(std::move(handle));
  answer.bytes = static_cast<uint64_t>(std::max<curl_off_t>(length, 0));
  answer.body = std::move(taking.body);
  if (answer.status >= 200 && answer.status < 300) return answer;
  const std::string said = S3ErrorCode(AsText(answer.body));
  *may_pass = IsPassing(answer.status, said);
  return S3Refusal(S3OperationName(request.operation), place_, answer.status, said);
}

Result<S3Answer> S3Client::Send(const S3Request& request) const {
  nanoseconds pause = parts_.pace.pause;
  for (int tries = 1;; ++tries) {
    bool may_pass = false;
    const auto begin = std::chrono::steady_clock::now();
    Result<S3Answer> answer = Try(request, &may_pass);
    const bool is_missing = answer.status().reason() == Reason::kNotFound;
    if (parts_.told) {
      parts_.told(request.operation, std::chrono::steady_clock::now() - begin,
                  answer.ok() || is_missing);
    }
    if (answer.ok() || !may_pass || tries >= parts_.pace.tries) return answer;
    Log(LogLevel::kWarning, "object_store_asked_again",
        {{"operation", S3OperationName(request.operation)}, {"error", answer.status().message()}});
    std::this_thread::sleep_for(Around(pause));
    pause *= kPauseGrows;
  }
}

}  // namespace wb
