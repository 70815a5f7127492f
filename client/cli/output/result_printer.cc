#include "client/cli/output/result_printer.h"

#include <utility>

namespace wb::cli {

namespace v1 = wasmburst::v1;

ResultPrinter::ResultPrinter(const Session& session, ResultShown shown)
    : format_(session.format()), shown_(std::move(shown)) {}

void ResultPrinter::Begin(std::optional<ResultCsv> csv) {
  began_ = true;
  csv_ = std::move(csv);
  if (csv_) Session::Print(csv_->Header());
  if (format_ == Format::kTable) Session::PrintLine(ResultHeader(shown_));
  if (format_ == Format::kJson) Session::Print("{\"results\": [");
}

void ResultPrinter::Print(const v1::InstanceResult& result, const OutputPaths& in_files) {
  if (!began_) return;
  switch (format_) {
    case Format::kTable: Session::PrintLine(ResultRow(result, shown_)); break;
    case Format::kJsonl: Session::PrintLine(ResultJson(result, shown_, in_files)); break;
    case Format::kJson:
      Session::Print((first_ ? "\n" : ",\n") + ResultJson(result, shown_, in_files));
      break;
    case Format::kCsv: Session::Print(csv_->Row(result)); break;
  }
  first_ = false;
}

void ResultPrinter::Finish(const v1::Job* job) {
  if (!began_ || format_ != Format::kJson) return;
  Session::Print("\n]");
  if (job != nullptr) Session::Print(", \"job\": " + MessageJson(*job, false));
  Session::Print("}\n");
}

}  // namespace wb::cli
