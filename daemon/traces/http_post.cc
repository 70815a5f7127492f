#include "daemon/traces/http_post.h"

#include <curl/curl.h>

#include <utility>

namespace wb {
namespace {

constexpr long kConnectMilliseconds = 5000;
constexpr long kWholeMilliseconds = 10000;
constexpr const char* kAgent = "wasmburstd/" WB_VERSION;

size_t TakeNothing(char*, size_t size, size_t count, void*) { return size * count; }

int Goes(void* is_unwanted, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<const std::function<bool()>*>(is_unwanted))() ? 1 : 0;
}

}  // namespace

struct HttpPost::Impl {
  ~Impl() {
    curl_slist_free_all(headers);
    curl_easy_cleanup(handle);
  }

  // Header lines that libcurl would add by itself: an empty Expect saves a round trip.
  bool SetUp(const std::string& url, const std::vector<std::string>& more) {
    if (handle == nullptr) return false;
    std::vector<std::string> lines = {"Content-Type: application/json", "Expect:"};
    lines.insert(lines.end(), more.begin(), more.end());
    for (const std::string& line : lines) {
      curl_slist* const longer = curl_slist_append(headers, line.c_str());
      if (longer == nullptr) return false;
      headers = longer;
    }
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, kAgent);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, kConnectMilliseconds);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, kWholeMilliseconds);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &TakeNothing);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &Goes);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    return true;
  }

  CURL* const handle = curl_easy_init();
  curl_slist* headers = nullptr;
};

HttpPost::HttpPost(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpPost::~HttpPost() = default;

Result<std::unique_ptr<HttpPost>> HttpPost::Open(const std::string& url,
                                                 const std::vector<std::string>& headers) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);  // to the process's end
  auto impl = std::make_unique<Impl>();
  if (started != CURLE_OK || !impl->SetUp(url, headers)) {
    return Status(Reason::kIoError, "The library for HTTP cannot start, so no spans can be sent.");
  }
  return std::unique_ptr<HttpPost>(new HttpPost(std::move(impl)));
}

HttpPostAnswer HttpPost::Send(const std::string& body, const std::function<bool()>& is_unwanted) {
  CURL* const handle = impl_->handle;
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &is_unwanted);
  HttpPostAnswer answer;
  const CURLcode code = curl_easy_perform(handle);
  if (code != CURLE_OK) {
    answer.error = curl_easy_strerror(code);
    return answer;
  }
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer.status);
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
  constexpr curl_off_t kDay = 86400;
  answer.retry_after = std::chrono::seconds(seconds < 0 ? 0 : seconds > kDay ? kDay : seconds);
  return answer;
}

}  // namespace wb
