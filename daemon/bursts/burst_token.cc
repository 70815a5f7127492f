#include "daemon/bursts/burst_token.h"

#include <charconv>
#include <optional>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr size_t kLongest = 4096;

template <typename Number>
std::optional<Number> NumberOf(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// What comes before the separator; `text` keeps what comes after it.
std::string_view Cut(std::string_view* text, char separator) {
  const std::string_view head = text->substr(0, text->find(separator));
  text->remove_prefix(std::min(text->size(), head.size() + 1));
  return head;
}

std::optional<BurstToken> Parse(std::string_view text) {
  BurstToken token;
  const auto daemon = NumberOf<int64_t>(Cut(&text, ';'));
  if (!daemon) return std::nullopt;
  token.daemon = *daemon;
  while (!text.empty()) {
    std::string_view part = Cut(&text, ';');
    const std::string_view device = Cut(&part, ':');
    const auto number = NumberOf<uint64_t>(part);
    if (device.empty() || !number) return std::nullopt;
    token.place[std::string(device)] = *number;
  }
  return token;
}

}  // namespace

std::string MakeBurstToken(const BurstToken& token) {
  std::string text = std::to_string(token.daemon);
  for (const auto& [device, number] : token.place) {
    text += ";" + device + ":" + std::to_string(number);
  }
  return text;
}

Result<BurstToken> ParseBurstToken(std::string_view text) {
  std::optional<BurstToken> token;
  if (text.size() <= kLongest) token = Parse(text);
  if (token) return *std::move(token);
  return Status(Reason::kInvalidArgument,
                "The resume token " + Quoted(std::string(text.substr(0, 100))) +
                    " is none of WatchBursts. Leave it out to begin with the oldest burst.",
                {{"field", "resume_token"}});
}

}  // namespace wb
