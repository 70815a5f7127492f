#include "client/cli/output/result_printer.h"

#include "client/cli/output/standard_output.h"

#include <utility>

namespace wb::cli {

namespace v1 = wasmburst::v1;

ResultPrinter::ResultPrinter(Format format, ResultShown shown)
    : format_(format), shown_(std::move(shown)) {}

void ResultPrinter::Begin(std::optional<ResultCsv> csv) {
  began_ = true;
  csv_ = std::move(csv);
  if (csv_) Print(csv_->Header());
  if (format_ == Format::kTable) PrintLine(ResultHeader(shown_));
  if (format_ == Format::kJson) Print("{\"results\": [");
}

void ResultPrinter::PrintResult(const v1::InstanceResult& result, const OutputPaths& in_files) {
  if (!began_) return;
  switch (format_) {
    case Format::kTable: PrintLine(ResultRow(result, shown_)); break;
    case Format::kJsonl: PrintLine(ResultJson(result, shown_, in_files)); break;
    case Format::kJson:
      Print((first_ ? "\n" : ",\n") + ResultJson(result, shown_, in_files));
      break;
    case Format::kCsv: Print(csv_->Row(result)); break;
  }
  first_ = false;
}

void ResultPrinter::Finish(const v1::Job* job) {
  if (!began_ || format_ != Format::kJson) return;
  Print("\n]");
  if (job != nullptr) Print(", \"job\": " + MessageJson(*job, false));
  Print("}\n");
}

}  // namespace wb::cli
