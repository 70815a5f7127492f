#include "client/cli/top/looks.h"

#include "client/cli/output/print.h"

namespace wb::cli {
namespace {

// With a line end, without blanks before it.
std::string PlainLine(std::string text) {
  text.resize(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string TableText(const ViewTable& table, size_t width) {
  const std::vector<ShownColumn> shown = FitColumns(table, width);
  // No column is the sorted one here.
  std::string text = PlainLine(HeaderText(table, shown, table.columns.size(), false));
  for (const ViewRow& row : table.rows) text += PlainLine(RowText(row, table, shown));
  return text + "\n";
}

template <typename List>
std::string ListJson(const char* name, const List& list) {
  std::string text;
  for (const auto& one : list) text += (text.empty() ? "" : ",") + MessageJson(one, false);
  return std::string(",\"") + name + "\":[" + text + "]";
}

template <typename Part>
std::string PartJson(const char* name, const Part& part) {
  return part ? std::string(",\"") + name + "\":" + MessageJson(*part, false) : "";
}

}  // namespace

std::string PlainLook(TopModel* model, size_t width) {
  std::string text;
  for (const TopKey view : {U'd', U'j'}) {
    model->Press(view);
    text += TableText(model->Shown(), width);
  }
  return text;
}

std::string LookJson(const TopFacts& facts) {
  return "{\"time_unix_ms\":" + std::to_string(facts.unix_ns / 1'000'000) +
         ListJson("devices", facts.devices.devices()) + ListJson("jobs", facts.jobs.jobs()) +
         ListJson("bursts", facts.bursts.bursts()) + PartJson("server", facts.server) +
         PartJson("cache", facts.cache) + PartJson("tenants", facts.tenants) + "}";
}

}  // namespace wb::cli
