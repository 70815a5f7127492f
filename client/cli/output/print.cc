#include "client/cli/output/print.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "client/cli/encoding/base64.h"
#include "client/cli/output/trap_text.h"
#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using ValueList = google::protobuf::RepeatedPtrField<v1::Value>;

std::string Joined(const ValueList& list) {
  std::string text;
  for (const v1::Value& value : list) text += (text.empty() ? "" : " ") + ValueText(value);
  return text;
}

// " (2 bytes are not UTF-16)". Empty: all of it is text, or it is none.
std::string WrongBytesText(const v1::Output& output, const ResultShown& shown) {
  const v1::TextEncoding* encoding = shown.texts.EncodingOf(output.name());
  if (encoding == nullptr) return "";
  const uint64_t wrong = DecodeText(output.data(), *encoding).wrong_bytes;
  if (wrong == 0) return "";
  return " (" + std::to_string(wrong) + (wrong == 1 ? " byte is not " : " bytes are not ") +
         TextEncodingName(*encoding) + ")";
}

std::string ResultText(const v1::InstanceResult& result, const ResultShown& shown) {
  std::string text;
  if (result.end() == v1::EXITED) text = "exit code " + std::to_string(result.exit_code());
  for (const v1::StepResult& step : result.steps()) {
    std::string one = step.has_trap() ? TrapText(step.trap()) : Joined(step.values());
    if (!one.empty()) text += (text.empty() ? "" : "; ") + one;
  }
  for (const v1::Output& output : result.outputs()) {
    text += (text.empty() ? "" : "; ") + output.name() + ": " +
            Printable(OutputText(output, shown)) + WrongBytesText(output, shown);
  }
  for (const v1::ImportCall& call : result.calls()) {
    text += (text.empty() ? "" : "; ") + Printable(call.import()) + "(" + Joined(call.args()) + ")";
  }
  if (result.has_trap()) text += (text.empty() ? "" : "; ") + TrapText(result.trap());
  return text;
}

constexpr size_t kInputWidth = 14;

// Wider texts keep a distance from what follows.
std::string Padded(const std::string& text, size_t width) {
  return text.size() >= width ? text + "  " : text + std::string(width - text.size(), ' ');
}

std::string Capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string Scaled(double number, double base, const std::array<const char*, 5>& units) {
  size_t unit = 0;
  while (number >= base && unit + 1 < units.size()) {
    number /= base;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.0f%s" : "%.3g%s", number, units[unit]);
  return text;
}

std::string JouleText(double joules) {
  if (joules >= 1000) return CountText(joules) + "J";
  char number[32];
  if (joules >= 1 || joules <= 0) {
    std::snprintf(number, sizeof(number), "%.3g J", joules);
  } else {
    const bool micro = joules < 1e-3;
    std::snprintf(number, sizeof(number), "%.3g %s", joules * (micro ? 1e6 : 1e3),
                  micro ? "uJ" : "mJ");
  }
  return number;
}

}  // namespace

std::string MessageJson(const google::protobuf::Message& message, bool indented) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = indented;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(message, &text, options).ok()) return "{}";
  return text;
}

std::string Table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      text += i + 1 == row.size() ? row[i] : Padded(row[i], widths[i] + 2);
    }
    text += "\n";
  }
  return text;
}

std::string ResultHeader(const ResultShown& shown) {
  std::string header = "INSTANCE    END            FUEL          DEVICE        ";
  for (const InputColumn& input : shown.inputs) header += Padded(Capitals(input.name), kInputWidth);
  return header + "RESULT";
}

std::string ResultRow(const v1::InstanceResult& result, const ResultShown& shown) {
  std::string row = Padded(std::to_string(result.instance()), 12) +
                    Padded(v1::End_Name(result.end()), 15) +
                    Padded(std::to_string(result.fuel()), 14) + Padded(result.device(), 14);
  for (const InputColumn& input : shown.inputs) {
    row += Padded(input.TextAt(result.instance()), kInputWidth);
  }
  return row + ResultText(result, shown);
}

std::string Hex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<uint8_t>(byte) >> 4];
    text += kDigits[static_cast<uint8_t>(byte) & 15];
  }
  return text;
}

std::string OutputText(const v1::Output& output, const ResultShown& shown) {
  const std::string& bytes = output.data();
  if (const v1::TextEncoding* encoding = shown.texts.EncodingOf(output.name())) {
    return DecodeText(bytes, *encoding).utf8;
  }
  switch (shown.outputs) {
    case OutputForm::kSize: return std::to_string(bytes.size()) + " bytes";
    case OutputForm::kBase64: return Base64(bytes);
    case OutputForm::kHex: return Hex(bytes);
    case OutputForm::kText: return bytes;
  }
  return "";
}

std::string TimeText(const google::protobuf::Timestamp& time) {
  const std::time_t seconds = time.seconds();
  std::tm parts = {};
  char text[64] = "-";
  if (gmtime_r(&seconds, &parts) != nullptr) {
    std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts);
  }
  return text;
}

std::string SizeText(uint64_t bytes) {
  return Scaled(static_cast<double>(bytes), 1024, {" B", " KiB", " MiB", " GiB", " TiB"});
}

std::string CountText(double number) { return Scaled(number, 1000, {"", " k", " M", " G", " T"}); }

std::string EnergyText(const v1::Usage& usage, uint64_t instances) {
  if (!usage.has_joules()) return "";
  std::string text = JouleText(usage.joules());
  if (instances == 0) return text;
  return text + ", " + JouleText(usage.joules() / static_cast<double>(instances)) + " an instance";
}

double Seconds(const google::protobuf::Duration& duration) {
  return static_cast<double>(duration.seconds()) + static_cast<double>(duration.nanos()) / 1e9;
}

std::string CompileText(const v1::Usage& usage) {
  const double quick = Seconds(usage.quick_compile_time());
  const double full = Seconds(usage.full_compile_time());
  std::string text;
  if (quick > 0) text = std::to_string(quick) + " s quickly";
  if (full > 0) text += (text.empty() ? "" : ", ") + std::to_string(full) + " s in full";
  if (!text.empty()) return text;
  if (usage.pipeline_cached()) return "0 s, from the cache";
  return std::to_string(Seconds(usage.compile_time())) + " s";
}

std::string JobSummary(const v1::Job& job) {
  const v1::Counts& counts = job.counts();
  std::string ends;
  auto add = [&ends](uint64_t count, const char* words) {
    if (count > 0) ends += (ends.empty() ? "" : ", ") + std::to_string(count) + " " + words;
  };
  add(counts.returned(), "returned");
  add(counts.trapped(), "trapped");
  add(counts.exited(), "exited");
  add(counts.out_of_fuel(), "out of fuel");
  add(counts.output_limit(), "over the output limit");
  add(counts.cancelled(), "cancelled");
  add(counts.deadline(), "past the deadline");
  add(counts.failed(), "failed");
  add(counts.job_out_of_fuel(), "ended when the job's fuel was used up");
  add(counts.results_limit(), "over the results limit");
  add(counts.expired(), "expired");
  std::string text = job.name() + " " + v1::Job::State_Name(job.state()) + ": " +
                     std::to_string(counts.finished()) + " of " +
                     std::to_string(counts.instances()) + " instances";
  if (!ends.empty()) text += " (" + ends + ")";
  if (job.has_start_time() && job.has_end_time()) {
    double seconds = static_cast<double>(job.end_time().seconds() - job.start_time().seconds()) +
                     static_cast<double>(job.end_time().nanos() - job.start_time().nanos()) / 1e9;
    char number[64];
    std::snprintf(number, sizeof(number), " in %.3f s", seconds);
    text += number;
  }
  text += ", " + CountText(static_cast<double>(job.usage().fuel())) + " instructions, " +
          std::to_string(job.usage().bursts()) +
          (job.usage().bursts() == 1 ? " launch" : " launches");
  if (!job.device().empty()) text += " on " + job.device();
  const std::string energy = EnergyText(job.usage(), counts.finished());
  if (!energy.empty()) text += ", " + energy;
  if (!job.limit_reached().empty()) text += "\n" + job.limit_reached();
  if (job.has_error()) text += "\n" + job.error().message();
  return text;
}

}  // namespace wb::cli
