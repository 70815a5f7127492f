#include "daemon/traces/otlp_json.h"

#include <nlohmann/json.hpp>
#include <type_traits>

namespace wb {
namespace {

using Json = nlohmann::json;

constexpr const char* kService = "wasmburstd";
constexpr int kStatusError = 2;  // numbers of the protocol; unset is 0

Json ValueOf(const SpanAttribute& attribute) {
  return std::visit(
      [](const auto& value) -> Json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::string>) return {{"stringValue", value}};
        if constexpr (std::is_same_v<Value, int64_t>) return {{"intValue", std::to_string(value)}};
        if constexpr (std::is_same_v<Value, double>) return {{"doubleValue", value}};
        if constexpr (std::is_same_v<Value, bool>) return {{"boolValue", value}};
      },
      attribute.value);
}

Json AttributesOf(const std::vector<SpanAttribute>& attributes) {
  Json list = Json::array();
  for (const SpanAttribute& attribute : attributes) {
    list.push_back({{"key", attribute.key}, {"value", ValueOf(attribute)}});
  }
  return list;
}

Json SpanOf(const Span& span) {
  Json json = {{"traceId", span.trace_id},
               {"spanId", span.span_id},
               {"name", span.name},
               {"kind", static_cast<int>(span.kind)},
               {"startTimeUnixNano", std::to_string(span.start_unix_ns)},
               {"endTimeUnixNano", std::to_string(span.end_unix_ns)},
               {"attributes", AttributesOf(span.attributes)}};
  if (!span.parent_span_id.empty()) json["parentSpanId"] = span.parent_span_id;
  if (!span.error.empty()) json["status"] = {{"code", kStatusError}, {"message", span.error}};
  return json;
}

}  // namespace

std::string OtlpJson(const TraceResource& resource, const std::vector<Span>& spans) {
  Json list = Json::array();
  for (const Span& span : spans) list.push_back(SpanOf(span));
  Json scope = {{"scope", {{"name", "wasmburst"}, {"version", resource.version}}},
                {"spans", std::move(list)}};
  Json from = {{"attributes", AttributesOf({{"service.name", std::string(kService)},
                                            {"service.version", resource.version},
                                            {"host.name", resource.host}})}};
  Json whole = {{"resource", std::move(from)}, {"scopeSpans", Json::array({std::move(scope)})}};
  const Json request = {{"resourceSpans", Json::array({std::move(whole)})}};
  return request.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace wb
