#include "daemon/blobs/s3_answer.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr long kNotFound = 404;
constexpr long kTooMany = 429;
constexpr long kServerFails = 500;
constexpr long kFull = 507;

// What stands between <NAME> and </NAME>; nullopt: it does not occur.
std::optional<std::string_view> Within(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::string close = "</" + std::string(name) + ">";
  const size_t begin = xml.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const size_t end = xml.find(close, begin);
  if (end == std::string_view::npos) return std::nullopt;
  return xml.substr(begin + open.size(), end - begin - open.size());
}

std::string Unescaped(std::string_view text) {
  struct Entity {
    std::string_view written;
    char meant;
  };
  constexpr Entity kEntities[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                                  {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}};
  std::string meant;
  while (!text.empty()) {
    const auto* const entity =
        std::find_if(std::begin(kEntities), std::end(kEntities),
                     [text](const Entity& each) { return text.starts_with(each.written); });
    const bool is_entity = entity != std::end(kEntities);
    meant += is_entity ? entity->meant : text.front();
    text.remove_prefix(is_entity ? entity->written.size() : 1);
  }
  return meant;
}

std::optional<uint64_t> Number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "2009-10-12T17:50:30.000Z", to the millisecond; 0: it is no such time.
int64_t TimeOf(std::string_view text) {
  const auto part = [text](size_t from, size_t count) {
    return text.size() < from + count ? std::nullopt : Number(text.substr(from, count));
  };
  const auto year = part(0, 4);
  const auto month = part(5, 2);
  const auto day = part(8, 2);
  const auto hour = part(11, 2);
  const auto minute = part(14, 2);
  const auto second = part(17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return 0;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return 0;
  const auto since = std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(*hour) +
                     std::chrono::minutes(*minute) + std::chrono::seconds(*second) +
                     std::chrono::milliseconds(part(20, 3).value_or(0));
  return std::chrono::nanoseconds(since).count();
}

Status NoList(const std::string& why) {
  return Status(Reason::kIoError, "The object store answers with a list that " + why + ".");
}

// What to do about it.
std::string Advice(long status, const std::string& code) {
  if (code == "NoSuchBucket") return " Make the bucket, or name another in store.blob_s3.";
  if (code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect" ||
      (status >= 300 && status < 400)) {
    return " The bucket is in another region: set store.s3_region and the host of store.blob_s3.";
  }
  if (code == "RequestTimeTooSkewed") return " Set this machine's clock.";
  if (code == "EntityTooLarge") return " Lower modules.max_module_bytes or inputs.max_bytes.";
  if (status == 401 || status == 403) {
    return " Check the keys (store.s3_keys_file), what they may do in the bucket, "
           "store.s3_region and this machine's clock.";
  }
  return "";
}

}  // namespace

Result<S3Page> ParseS3Page(std::string_view xml) {
  const std::optional<std::string_view> list = [xml]() -> std::optional<std::string_view> {
    const size_t begin = xml.find("<ListBucketResult");
    const size_t end = xml.rfind("</ListBucketResult>");
    if (begin == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
    return xml.substr(begin, end - begin);
  }();
  if (!list) return NoList("is none, or was cut short");
  S3Page page;
  std::string_view rest = *list;
  while (const std::optional<std::string_view> entry = Within(rest, "Contents")) {
    const auto key = Within(*entry, "Key");
    const auto size = Within(*entry, "Size");
    const auto bytes = size ? Number(*size) : std::nullopt;
    if (!key || !bytes) return NoList("has an object without a name or a size");
    page.objects.push_back(
        {Unescaped(*key), *bytes, TimeOf(Within(*entry, "LastModified").value_or(""))});
    rest = rest.substr(static_cast<size_t>(entry->data() + entry->size() - rest.data()));
  }
  if (Within(*list, "IsTruncated").value_or("false") != "true") return page;
  page.next = Unescaped(Within(*list, "NextContinuationToken").value_or(""));
  if (page.next.empty()) return NoList("says that there is more, and not where");
  return page;
}

std::string S3ErrorCode(std::string_view xml) {
  const std::string_view code = Within(xml, "Code").value_or("");
  const bool is_word = code.size() < 64 && std::all_of(code.begin(), code.end(), [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                (c >= '0' && c <= '9') || c == '.';
                       });
  return is_word ? std::string(code) : "";
}

bool IsPassing(long status, const std::string& code) {
  return (status >= kServerFails && status != kFull && status != 501) || status == kTooMany ||
         code == "RequestTimeout";
}

Status S3Refusal(const std::string& operation, const std::string& place, long status,
                 const std::string& code) {
  Reason reason = Reason::kIoError;
  const bool is_full = status == kFull || code == "QuotaExceeded" || code == "XMinioStorageFull";
  if (is_full) reason = Reason::kNoSpace;
  if (!is_full && IsPassing(status, code)) reason = Reason::kMachineFault;
  if (status == kNotFound && code != "NoSuchBucket") reason = Reason::kNotFound;
  return Status(reason,
                "The object store at " + Quoted(place) + " refuses to " + operation + ": " +
                    Quoted(static_cast<uint64_t>(status)) +
                    (code.empty() ? "" : " " + Quoted(code)) + "." + Advice(status, code),
                {{"store", place}});
}

std::string Escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    const auto byte = static_cast<uint8_t>(c);
    if (plain) {
      escaped += c;
    } else {
      escaped += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return escaped;
}

}  // namespace wb
