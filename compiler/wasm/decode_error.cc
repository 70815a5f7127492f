#include "compiler/wasm/decode_error.h"

#include <string>

namespace wb {
namespace {

constexpr size_t kMaxClause = 500;

struct ReaderMessage {
  std::string_view prefix;
  ReaderVerdict verdict;
};

// Everything else that the reader reports is about the binary format.
constexpr ReaderMessage kReaderMessages[] = {
    {"load/store memory ", {Reason::kWasmInvalid, ""}},
    {"no memory to copy data to", {Reason::kWasmInvalid, ""}},
    {"memory may not be shared: ", {Reason::kWasmUnsupportedFeature, "threads"}},
    {"memory64 not allowed", {Reason::kWasmUnsupportedFeature, "memory64"}},
    {"invalid import tag kind: ", {Reason::kWasmUnsupportedFeature, "exception handling"}},
    {"invalid export tag kind: ", {Reason::kWasmUnsupportedFeature, "exception handling"}},
    {"invalid section code: 13", {Reason::kWasmUnsupportedFeature, "exception handling"}},
};

std::string_view Verdict(Reason reason) {
  switch (reason) {
    case Reason::kWasmInvalid: return "is not valid";
    case Reason::kWasmUnsupportedFeature: return "uses what is not supported";
    default: return "is malformed";
  }
}

}  // namespace

Status DecodeError(Reason reason, std::string_view what, const DecodePlace& place) {
  std::string offset = std::to_string(place.offset);
  std::vector<Detail> details = {{"offset", offset}};
  std::string message = "The module";
  if (place.function.has_value()) {
    std::string function = std::to_string(*place.function);
    message = "Function [" + function + "] of the module";
    details.push_back({"function", function});
  }
  message.append(" ").append(Verdict(reason)).append(" at byte [").append(offset).append("]: ");
  message.append(what.substr(0, kMaxClause)).append(what.size() > kMaxClause ? " and so on" : "");
  if (message.back() != '.') message += '.';
  return Status(reason, std::move(message), std::move(details));
}

ReaderVerdict VerdictOfReader(std::string_view message) {
  for (const ReaderMessage& row : kReaderMessages) {
    if (message.substr(0, row.prefix.size()) == row.prefix) return row.verdict;
  }
  return {};
}

}  // namespace wb
