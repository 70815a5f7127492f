#include "client/cli/profile/pipeline_table.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "client/cli/output/print.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::string Percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", part * 100);
  return text;
}

std::string Known(uint64_t number, const std::string& unit = "") {
  return number == 0 ? "-" : std::to_string(number) + unit;
}

std::string Room(const v1::Pipeline& pipeline) {
  if (pipeline.lanes_per_processor() == 0) return "-";
  return std::to_string(pipeline.lanes_per_processor()) + " in blocks of " +
         std::to_string(pipeline.block_threads());
}

std::string Settled(const v1::Pipeline& pipeline) {
  if (!pipeline.has_occupancy()) return "-";
  const v1::Pipeline::Occupancy& occupancy = pipeline.occupancy();
  const uint32_t lanes = occupancy.lanes_per_processor();
  std::string text = lanes == 0 ? "all lanes" : std::to_string(lanes) + " lanes";
  if (occupancy.block_threads() != 0) {
    text += " in blocks of " + std::to_string(occupancy.block_threads());
  }
  if (occupancy.few_registers()) text += ", few registers";
  return occupancy.tiled() ? text + ", memory in tiles" : text;
}

std::string DeviceTime(const v1::Pipeline& pipeline) {
  if (pipeline.launches() == 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", Seconds(pipeline.device_time()));
  return text;
}

struct Fact {
  const char* name;
  std::function<std::string(const v1::Pipeline&)> text;
};

const std::vector<Fact>& Facts() {
  static const std::vector<Fact> facts = {
      {"TIER", [](const v1::Pipeline& p) { return p.tier() + (p.fast32() ? ", fast32" : ""); }},
      {"code",
       [](const v1::Pipeline& p) {
         return p.code_bytes() == 0 ? std::string("-") : SizeText(p.code_bytes());
       }},
      {"registers of a lane", [](const v1::Pipeline& p) { return Known(p.registers()); }},
      {"local memory of a lane",
       [](const v1::Pipeline& p) {
         return p.registers() == 0 ? std::string("-") : std::to_string(p.local_bytes()) + " bytes";
       }},
      {"shared memory of a block",
       [](const v1::Pipeline& p) {
         return p.registers() == 0 ? std::string("-") : std::to_string(p.shared_bytes()) + " bytes";
       }},
      {"lanes that fit a processor", Room},
      {"processors", [](const v1::Pipeline& p) { return Known(p.processors()); }},
      {"launches settled on, a processor", Settled},
      {"launches",
       [](const v1::Pipeline& p) {
         return p.launches() == 0 ? std::string("-") : std::to_string(p.launches());
       }},
      {"instructions",
       [](const v1::Pipeline& p) {
         return p.launches() == 0 ? std::string("-") : CountText(static_cast<double>(p.fuel()));
       }},
      {"device time", DeviceTime},
      {"instructions a second",
       [](const v1::Pipeline& p) {
         return p.launches() == 0 ? std::string("-") : CountText(p.instructions_per_second());
       }},
      {"useful lanes", [](const v1::Pipeline& p) {
         return p.has_useful_lanes() ? Percent(p.useful_lanes()) : std::string("-");
       }}};
  return facts;
}

}  // namespace

std::string PipelineTable(const v1::ListPipelinesResponse& response) {
  if (response.pipelines().empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const Fact& fact : Facts()) {
    std::vector<std::string>& row = rows.emplace_back();
    row.emplace_back(fact.name);
    for (const v1::Pipeline& pipeline : response.pipelines()) row.push_back(fact.text(pipeline));
  }
  return Table(rows);
}

std::string DivergenceText(const v1::Divergence& divergence) {
  return Percent(divergence.useful_lanes()) + " of lanes were useful, " +
         CountText(static_cast<double>(divergence.useful_fuel())) + " instructions of " +
         CountText(static_cast<double>(divergence.resident_fuel()));
}

}  // namespace wb::cli
