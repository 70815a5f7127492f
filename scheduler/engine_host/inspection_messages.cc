#include "scheduler/engine_host/inspection_messages.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

namespace engine = wasmburst::engine;

constexpr uint32_t kMostPages = 65536;

template <typename Values>
void PutValues(const std::vector<SeenValue>& values, Values* out) {
  for (const SeenValue& value : values) {
    engine::SeenValue& added = *out->Add();
    added.set_type(static_cast<uint32_t>(value.type));
    added.set_low(value.low);
    added.set_high(value.high);
  }
}

// False: a type is not known.
template <typename Values>
bool TakeValues(const Values& in, std::vector<SeenValue>* values) {
  for (const engine::SeenValue& value : in) {
    if (value.type() > static_cast<uint32_t>(ValueType::kExternRef)) return false;
    values->push_back({static_cast<ValueType>(value.type()), value.low(), value.high()});
  }
  return true;
}

// Chunks rise, lie apart and inside.
bool TakeMemory(engine::SeenMemory& in, uint64_t* left, SeenMemory* memory) {
  if (in.pages() > kMostPages) return false;
  memory->pages = in.pages();
  uint64_t free_from = 0;
  const uint64_t end = uint64_t{in.pages()} * abi::PAGE_BYTES;
  for (engine::SeenChunk& chunk : *in.mutable_chunks()) {
    const uint64_t bytes = chunk.data().size();
    if (bytes > *left || chunk.at() < free_from || chunk.at() > end || bytes > end - chunk.at()) {
      return false;
    }
    *left -= bytes;
    free_from = chunk.at() + bytes;
    memory->chunks.push_back({chunk.at(), Bytes(chunk.data().begin(), chunk.data().end())});
    chunk.clear_data();
  }
  return true;
}

bool TakeState(engine::Inspected& in, const InspectionRequest& request, Inspection* seen) {
  uint64_t left = request.max_state_bytes;
  for (engine::SeenMemory& memory : *in.mutable_memories()) {
    if (!TakeMemory(memory, &left, &seen->memories.emplace_back())) return false;
  }
  for (const engine::SeenTable& table : in.tables()) {
    const uint64_t bytes = uint64_t{4} * static_cast<uint64_t>(table.elements_size());
    if (bytes > left) return false;
    left -= bytes;
    seen->tables.push_back({{table.elements().begin(), table.elements().end()}});
  }
  return TakeValues(in.globals(), &seen->globals);
}

bool TakeFrames(const engine::Inspected& in, Inspection* seen) {
  if (in.frames_size() > static_cast<int>(Inspection::kMostFrames)) return false;
  for (const engine::SeenFrame& frame : in.frames()) {
    SeenFrame& added = seen->frames.emplace_back();
    added.function = frame.function();
    added.offset = frame.offset();
    if (!TakeValues(frame.locals(), &added.locals)) return false;
    if (!TakeValues(frame.operands(), &added.operands)) return false;
  }
  return true;
}

bool TakeLines(const engine::Inspected& in, const InspectionRequest& request, Inspection* seen) {
  if (static_cast<uint64_t>(in.lines_size()) > request.max_lines) return false;
  for (const engine::SeenLine& line : in.lines()) {
    if (line.kind() > static_cast<uint32_t>(SeenLine::Kind::kReturn)) return false;
    SeenLine& added = seen->lines.emplace_back();
    added.kind = static_cast<SeenLine::Kind>(line.kind());
    added.depth = line.depth();
    added.function = line.function();
    added.offset = line.offset();
    added.text = line.text();
    if (!TakeValues(line.values(), &added.values)) return false;
    if (!TakeValues(line.results(), &added.results)) return false;
  }
  return in.line_count() >= seen->lines.size();
}

}  // namespace

void Put(const InspectionRequest& request, engine::Inspect& out) {
  out.set_state(request.state);
  out.set_max_state_bytes(request.max_state_bytes);
  out.set_detail(static_cast<uint32_t>(request.detail));
  out.set_max_lines(request.max_lines);
  if (!request.until) return;
  out.set_until(request.until->offset);
  out.set_until_from(request.until->from);
  out.set_until_to(request.until->to);
}

InspectionRequest InspectionRequestOf(const engine::Inspect& inspect) {
  InspectionRequest request;
  request.state = inspect.state();
  request.max_state_bytes = inspect.max_state_bytes();
  request.detail = static_cast<TraceDetail>(
      std::min(inspect.detail(), static_cast<uint32_t>(TraceDetail::kOperators)));
  request.max_lines = inspect.max_lines();
  if (inspect.has_until()) {
    request.until = {inspect.until(), inspect.until_from(), inspect.until_to()};
  }
  return request;
}

void Put(Inspection seen, engine::Inspected& out) {
  out.set_seats_left(seen.seats_left);
  out.set_reached(seen.reached);
  for (const SeenFrame& frame : seen.frames) {
    engine::SeenFrame& added = *out.add_frames();
    added.set_function(frame.function);
    added.set_offset(frame.offset);
    PutValues(frame.locals, added.mutable_locals());
    PutValues(frame.operands, added.mutable_operands());
  }
  for (SeenMemory& memory : seen.memories) {
    engine::SeenMemory& added = *out.add_memories();
    added.set_pages(memory.pages);
    for (SeenChunk& chunk : memory.chunks) {
      engine::SeenChunk& piece = *added.add_chunks();
      piece.set_at(chunk.at);
      piece.set_data(chunk.bytes.data(), chunk.bytes.size());
      chunk.bytes = {};
    }
  }
  PutValues(seen.globals, out.mutable_globals());
  for (const SeenTable& table : seen.tables) {
    out.add_tables()->mutable_elements()->Assign(table.elements.begin(), table.elements.end());
  }
  for (const SeenLine& line : seen.lines) {
    engine::SeenLine& added = *out.add_lines();
    added.set_kind(static_cast<uint32_t>(line.kind));
    added.set_depth(line.depth);
    added.set_function(line.function);
    added.set_offset(line.offset);
    added.set_text(line.text);
    PutValues(line.values, added.mutable_values());
    PutValues(line.results, added.mutable_results());
  }
  out.set_line_count(seen.line_count);
}

Result<Inspection> InspectionOf(engine::Inspected& in, const InspectionRequest& request) {
  Inspection seen;
  seen.seats_left = in.seats_left();
  seen.reached = in.reached();
  seen.line_count = in.line_count();
  if (TakeState(in, request, &seen) && TakeFrames(in, &seen) && TakeLines(in, request, &seen)) {
    return seen;
  }
  return Status(Reason::kInternal, "The engine host told of an instance what none can be.");
}

}  // namespace wb
