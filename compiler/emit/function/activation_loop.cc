#include "compiler/emit/function/activation_loop.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"
#include "compiler/emit/function/safepoint_writer.h"
#include "compiler/emit/text/names.h"

namespace wb {
namespace {

std::string Words(uint64_t number) { return std::to_string(number) + "u"; }

}  // namespace

std::string ActivationLoop::ResultName(size_t index) const {
  if (OwnHolds(index)) return Expressions::Name(function(), function().results[index]);
  return "v" + std::to_string(index);
}

bool ActivationLoop::OwnHolds(size_t index) const {
  const ir::Var result = function().results[index];
  const std::vector<ir::Var>& frame = function().frame_vars;
  if (context_.expressions.IsConstant(result)) return false;
  if (std::find(frame.begin(), frame.end(), result) != frame.end()) return false;
  // Nor may the results of a call take one another's variables.
  for (const ir::Call& call : function().calls) {
    for (size_t i = 0; i < call.results.size(); ++i) {
      if (call.results[i] == result && i != index) return false;
    }
  }
  return true;
}

void ActivationLoop::Declare() {
  context_.text.Line("uint b = f;");
  context_.text.Line("uint ", WaysOut::kVariable, " = 0u;");
  const std::vector<ValueType> results = ir::ResultTypes(function());
  for (size_t i = 0; i < results.size(); ++i) {
    if (OwnHolds(i)) continue;
    context_.text.Line(TypeText(results[i]), " ", ResultName(i), " = ", LiteralText(results[i], 0),
                       ";");
  }
  frames_.emplace(context_, Safepoints().size() > 1, Distance());
  frames_->Declare();
}

void ActivationLoop::Open() {
  const size_t states = labels_.RegionOf(0).states.size();
  next_.resize(states + 1);
  ways_ = WaysOut(static_cast<uint32_t>(states) + 1);
  context_.text.Line("s1 = 1u;");
  if (context_.form.resumable()) EnterResumed();
  context_.text.Open("while (true)");
  if (labels_.RegionOf(0).states[0].loop == 0) BeginState(1);  // else the loop's rows do so
}

// As in DispatchRegions; a function that resumes behind a safepoint goes on at the beginning of a
// state.
void ActivationLoop::EnterResumed() {
  const std::vector<uint32_t> calls = Safepoints();
  const std::vector<FlatState>& states = labels_.RegionOf(0).states;
  context_.text.Open("if (r != 0u)");
  context_.text.Open("switch (r)");
  for (uint32_t i = 0; i < states.size(); ++i) {
    const FlatState& state = states[i];
    const ir::Construct& loop = function().constructs[state.loop];
    uint32_t first = state.first_safepoint;
    const std::string enter = "s1 = " + Words(i + 1) + ";";
    const bool header = state.loop != 0 && loop.header_safepoint != 0;
    std::string results;  // of the call before it, where it goes on further behind
    if (header || state.entry) {
      const uint64_t cost =
          header ? SafepointWriter::HeaderCost(function(), loop) : function().insts[0].imm;
      context_.text.Line("case ", first++, "u: { ", enter, " fuel = fuel + ", cost,
                         "u; r = 0u; break; }");
    } else if (state.behind_safepoint) {
      const bool call = std::find(calls.begin(), calls.end(), first) != calls.end();
      if (call) results = ResultsFromFrame(first);
      context_.text.Line("case ", first++, "u: { ", enter, call ? ResultsFromStage() : "",
                         " r = 0u; break; }");
    }
    std::string labels;
    for (; first <= state.last_safepoint; ++first) labels += "case " + Words(first) + ": ";
    if (!labels.empty()) context_.text.Line(labels, "{ ", enter, results, " break; }");
  }
  context_.text.Line("default: { break; }");
  context_.text.Close();
  context_.text.Close();
}

std::string ActivationLoop::ResultsFromStage() const {
  std::string text;
  uint32_t word = stage_at_;
  const std::vector<ValueType> results = ir::ResultTypes(function());
  for (size_t i = 0; i < results.size(); ++i) {
    text += " " + ResultName(i) + " = " + GetText(results[i], Words(word)) + ";";
    word += TypeWords(results[i]);
  }
  return text;
}

// The state's first rows give them their names, as the frame has done by then.
std::string ActivationLoop::ResultsFromFrame(uint32_t safepoint) const {
  std::string text;
  const std::vector<ir::Var>& frame = function().frame_vars;
  for (const ir::Call& call : function().calls) {
    if (call.safepoint != safepoint) continue;
    for (size_t i = 0; i < call.results.size(); ++i) {
      if (std::find(frame.begin(), frame.end(), call.results[i]) == frame.end()) continue;
      text += " " + ResultName(i) + " = " + Expressions::Name(function(), call.results[i]) + ";";
    }
  }
  return text;
}

void ActivationLoop::BeginState(uint32_t state) {
  if (state_ != 0) {
    if (context_.targets.reachable()) {
      context_.text.Line("s1 = ", state, "u;");
      next_[state_].push_back(state);
    }
    CloseState();
  }
  state_ = state;
  begins_.push_back(context_.text.size());
  context_.text.Open("if (s1 == ", state, "u)");
  context_.text.Open("do");
  depth_ = context_.targets.Open(JumpTarget::kNoConstruct, false);
  context_.targets.ExitBy(ways_, depth_);
  const FlatState& flat = labels_.RegionOf(0).states[state - 1];
  context_.guards.EnterUnguarded(flat.last_safepoint);
  if (flat.behind_safepoint || flat.entry) context_.guards.Pass(flat.first_safepoint);
  context_.targets.SetReachable(true);
}

// A lane that ends the function stays until the end of the round: its state is none of those that
// follow. A test behind every state took more instructions, and so did a `break` out of the loop.
void ActivationLoop::CloseState() {
  context_.guards.CloseGuard();
  context_.guards.Leave();
  context_.text.Close(" while (false);");
  const JumpTarget closed = context_.targets.Close();
  const bool exits = closed.escape < closed.depth;
  const std::string test = exits ? "if (w == " + Words(closed.depth) + ") " : "";
  if (closed.hit) context_.text.Line(test, exits ? "{ w = 0u; }" : "w = 0u;");
  if (exits) context_.text.Line(ways_.TakeText());
  context_.text.Close();
  context_.text.Line("s1 = wb_hidden_state(s1);");
}

std::string ActivationLoop::JumpTo(uint32_t state) {
  next_[state_].push_back(state);
  const std::string set = "s1 = " + Words(state) + "; ";
  const bool inner = context_.targets.Innermost().depth != depth_;
  return set + (inner ? context_.targets.JumpTo(depth_) : "break;");
}

void ActivationLoop::Close() {
  if (context_.targets.reachable()) {
    context_.guards.EnsureGuard();
    Return();
  }
  CloseState();
  std::vector<std::string> states(begins_.size() + 1);
  for (size_t i = begins_.size(); i-- > 0;) states[i + 1] = context_.text.TakeFrom(begins_[i]);
  for (uint32_t state : Order()) context_.text.Raw(states[state]);
  context_.text.Line("if (s1 >= ", ways_.first(), "u) { break; }");
  context_.text.Close();
  ways_.Write(context_.text);
  context_.targets.SetReachable(true);
}

// Depth first from the first state, in reverse of the order in which the walk leaves them. A call
// goes back, and so does what goes around a loop.
std::vector<uint32_t> ActivationLoop::Order() const {
  std::vector<uint32_t> order, path;
  std::vector<size_t> taken(next_.size(), 0);
  std::vector<bool> seen(next_.size(), false);
  for (uint32_t first = 1; first < next_.size(); ++first) {
    if (!seen[first]) path.push_back(first);
    seen[first] = true;
    std::vector<uint32_t> left;
    while (!path.empty()) {
      const uint32_t state = path.back();
      if (taken[state] == next_[state].size()) {
        left.push_back(state);
        path.pop_back();
        continue;
      }
      const uint32_t to = next_[state][taken[state]++];
      if (seen[to]) continue;
      seen[to] = true;
      path.push_back(to);
    }
    order.insert(order.end(), left.rbegin(), left.rend());
  }
  return order;
}

std::vector<uint32_t> ActivationLoop::Safepoints() const {
  std::vector<uint32_t> safepoints;
  for (const ir::Call& call : function().calls) {
    if (function().CallsItself(call)) safepoints.push_back(call.safepoint);
  }
  return safepoints;
}

uint32_t ActivationLoop::Distance() const {
  return function().frame_words + uint32_t{abi::LINK_WORDS};
}

void ActivationLoop::Call(const ir::Call& call) {
  Text& text = context_.text;
  text.Open();
  TakeArguments(call);
  frames_->Call(call.safepoint);
  for (size_t i = 0; i < call.args.size(); ++i) text.Line("l", i, " = p", i, ";");
  for (ir::Var local = function().num_params; local < function().num_locals; ++local) {
    if (!context_.expressions.IsUsed(local)) continue;
    text.Line("l", local, " = ", LiteralText(TypeOf(local), 0), ";");
  }
  text.Line("f = f + ", Distance(), "u;");
  text.Line("room = room - ", function().stack_slots, "u;");
  text.Line("s1 = 1u; break;");
  text.Close();
  context_.targets.SetReachable(false);
  BeginState(labels_.Behind(call.safepoint));
  for (size_t i = 0; i < call.results.size(); ++i) {
    context_.expressions.DefineNow(call.results[i], ResultName(i));
  }
}

// Names of their own, since they are computed from the caller's.
void ActivationLoop::TakeArguments(const ir::Call& call) {
  for (size_t i = 0; i < call.args.size(); ++i) {
    context_.text.Line(TypeText(TypeOf(call.args[i])), " p", i, " = ",
                       context_.expressions.Use(call.args[i]), ";");
  }
}

void ActivationLoop::Return() {
  Text& text = context_.text;
  text.Line("if (f == b) { s1 = ", ways_.first(), "u; break; }");
  for (size_t i = 0; i < function().results.size(); ++i) {
    if (OwnHolds(i)) continue;
    text.Line(ResultName(i), " = ", context_.expressions.Use(function().results[i]), ";");
  }
  text.Line("f = f - ", Distance(), "u;");
  text.Line("room = room + ", function().stack_slots, "u;");
  GoBehindCall(frames_->Return());
  frames_->CloseReturn();
}

void ActivationLoop::GoBehindCall(const std::string& safepoint) {
  const std::vector<uint32_t> safepoints = Safepoints();
  for (uint32_t i = 0; i < safepoints.size(); ++i) {
    const uint32_t state = labels_.Behind(safepoints[i]);
    WB_CHECK(state != 0);
    next_[state_].push_back(state);
    if (i == 0) {
      context_.text.Line("s1 = ", state, "u;");
    } else {
      context_.text.Line("if (", safepoint, " == ", safepoints[i], "u) { s1 = ", state, "u; }");
    }
  }
}

void ActivationLoop::Unwind() {
  Text& text = context_.text;
  frames_->PutAll();
  const std::vector<uint32_t> safepoints = Safepoints();
  text.Line("R.w = wb_unwind_self(L, R.w, b, f, room, ", function().index, "u, ", Distance(), "u, ",
            function().stack_slots, "u, ", safepoints.size() > 1 ? 0 : safepoints.front(), "u);");
}

}  // namespace wb
