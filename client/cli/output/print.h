#pragma once

// What goes to standard output: tables for people, JSON for programs.

#include <google/protobuf/message.h>

#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/output/output_texts.h"
#include "client/cli/program/input_columns.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

enum class Format : uint8_t { kTable, kJson, kJsonl, kCsv };

// How the bytes of outputs are shown.
enum class OutputForm : uint8_t { kSize, kBase64, kHex, kText };

// What is shown of results besides themselves.
struct ResultShown {
  OutputForm outputs = OutputForm::kSize;
  std::vector<InputColumn> inputs;
  OutputTexts texts = {};  // these are shown as text in every form
};

// A message in protobuf's JSON form, in one line or indented.
std::string MessageJson(const google::protobuf::Message& message, bool indented);

// Rows under a header, as wide as needed; the last column is left ragged.
std::string Table(const std::vector<std::vector<std::string>>& rows);

std::string ResultHeader(const ResultShown& shown);
std::string ResultRow(const wasmburst::v1::InstanceResult& result, const ResultShown& shown);

std::string Hex(const std::string& bytes);
// A text as UTF-8, bytes in the form; kSize: "32 bytes".
std::string OutputText(const wasmburst::v1::Output& output, const ResultShown& shown);
// "2026-01-31 12:00:00 UTC".
std::string TimeText(const google::protobuf::Timestamp& time);
std::string SizeText(uint64_t bytes);  // "1.5 MiB"
std::string CountText(double number);  // "1.28 G"
// "1.2 kJ, 3.4 mJ an instance" of `instances`; empty where no sensor measured it.
std::string EnergyText(const wasmburst::v1::Usage& usage, uint64_t instances);
double Seconds(const google::protobuf::Duration& duration);
// How long its module's builds took.
std::string CompileText(const wasmburst::v1::Usage& usage);
// "jobs/X SUCCEEDED: 1024 instances (1024 returned) in 0.81 s, ..."
std::string JobSummary(const wasmburst::v1::Job& job);

}  // namespace wb::cli
