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
    {"memory index ", {Reason::kWasmInvalid, ""}},
    {"no memory to copy data to", {Reason::kWasmInvalid, ""}},
    {"memory may not be shared: ", {Reason::kWasmUnsupportedFeature, "threads"}},
    {"memory64 not allowed", {Reason::kWasmUnsupportedFeature, "memory64"}},
    {"invalid import tag kind: ", {Reason::kWasmUnsupportedFeature, "exception handling"}},
    {"invalid export tag kind: ", {Reason::kWasmUnsupportedFeature, "exception handling"}},
    {"invalid section code: 13", {Reason::kWasmUnsupportedFeature, "exception handling"}},
};

constexpr std::string_view kExceptions = "exception handling";
constexpr std::string_view kReferences = "typed function references";
constexpr std::string_view kCollection = "garbage collection";

struct ProposalCodes {
  uint8_t first;
  uint8_t last;
  std::string_view proposal;
};

// First bytes of operators.
constexpr ProposalCodes kOperators[] = {
    {0x06, 0x0a, kExceptions}, {0x12, 0x13, "tail calls"}, {0x14, 0x15, kReferences},
    {0x18, 0x19, kExceptions}, {0x1f, 0x1f, kExceptions},  {0xd3, 0xd3, kCollection},
    {0xd4, 0xd6, kReferences}, {0xfb, 0xfb, kCollection},  {0xfe, 0xfe, "threads"},
};

// Value types, and forms of the type section.
constexpr ProposalCodes kTypes[] = {
    {0x4e, 0x50, kCollection}, {0x5e, 0x5f, kCollection}, {0x63, 0x64, kReferences},
    {0x69, 0x69, kExceptions}, {0x6a, 0x6e, kCollection}, {0x71, 0x73, kCollection},
    {0x74, 0x74, kExceptions},
};

template <size_t N>
std::string_view ProposalIn(const ProposalCodes (&table)[N], uint8_t code) {
  for (const ProposalCodes& row : table) {
    if (row.first <= code && code <= row.last) return row.proposal;
  }
  return {};
}

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

std::string_view ProposalOfOperator(uint8_t first_byte) {
  return ProposalIn(kOperators, first_byte);
}
std::string_view ProposalOfType(uint8_t code) { return ProposalIn(kTypes, code); }

ReaderVerdict VerdictOfReader(std::string_view message) {
  for (const ReaderMessage& row : kReaderMessages) {
    if (message.substr(0, row.prefix.size()) == row.prefix) return row.verdict;
  }
  return {};
}

}  // namespace wb
