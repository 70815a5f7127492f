// EmitKernel: the whole text of a module: runtime parts, constants, functions, the entry.

#include <algorithm>
#include <map>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/emit/function_writer.h"
#include "compiler/emit/names.h"
#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

class KernelWriter {
 public:
  KernelWriter(const LoweredModule& module, const CompileOptions& options)
      : program_(module.program),
        layout_(module.layout),
        options_(options),
        reachable_(program_.functions.size(), false) {}

  Result<std::string> Write() {
    FindEntries();
    WB_TRY(CheckSupported());
    text_.Raw(RuntimeText("head.metal"));
    Constants();
    const bool contiguous = options_.layout == MemoryLayout::kContiguous;
    text_.Raw(RuntimeText(contiguous ? "layout_contiguous.metal" : "layout_interleaved.metal"));
    for (const char* part :
         {"lanes.metal", "calls.metal", "ints.metal", "floats_native.metal", "memory.metal"}) {
      text_.Raw(RuntimeText(part));
    }
    Structs();
    Lookups();
    WB_TRY(Functions());
    Dispatcher();
    for (const char* part : {"instance.metal", "lane_program.metal", "entry.metal"}) {
      text_.Raw(RuntimeText(part));
    }
    return text_.Take();
  }

 private:
  uint32_t IndexOf(size_t position) const {
    return program_.module->imported_functions + static_cast<uint32_t>(position);
  }

  // Exports and the start function can be called from outside; the rest only through them.
  void FindEntries() {
    for (const Export& item : program_.module->exports) {
      if (item.kind == ExternKind::kFunction) entries_.push_back(item.index);
    }
    if (program_.module->start) entries_.push_back(*program_.module->start);
    std::sort(entries_.begin(), entries_.end());
    entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
    std::vector<uint32_t> work = entries_;
    while (!work.empty()) {
      uint32_t index = work.back();
      work.pop_back();
      size_t position = index - program_.module->imported_functions;
      if (reachable_[position]) continue;
      reachable_[position] = true;
      for (const ir::Call& call : program_.functions[position].calls) work.push_back(call.callee);
    }
  }

  Status CheckSupported() const {
    for (size_t i = 0; i < reachable_.size(); ++i) {
      if (!reachable_[i] || !program_.functions[i].recursive) continue;
      return Refuse("Recursion", program_.functions[i]);
    }
    return {};
  }

  static Status Refuse(const std::string& what, const ir::Function& function) {
    return Status(Reason::kWasmUnsupportedFeature,
                  what + " in function [" + std::to_string(function.index) +
                      "] cannot be compiled to a kernel; the interpreter runs it.",
                  {{"offset", std::to_string(function.code_offset)},
                   {"function", std::to_string(function.index)}});
  }

  void Constants() {
    text_.Raw(ConstantsText());
    const bool contiguous = options_.layout == MemoryLayout::kContiguous;
    auto constant = [&](const char* name, uint32_t value) {
      text_.Line("constant uint ", name, " = ", value, "u;");
    };
    constant("WB_STRIDE", contiguous ? 1u : uint32_t{abi::GROUP_LANES});
    constant("WB_GLOBALS_AT", layout_.globals_at);
    constant("WB_GLOBALS_SIZE", program_.globals_size);
    constant("WB_FRAMES_AT", layout_.frames_at);
    constant("WB_MEMORY_AT", layout_.memory_at);
  }

  // What functions return, by result types.
  void Structs() {
    std::map<std::string, std::vector<ValueType>> structs;
    for (size_t i = 0; i < reachable_.size(); ++i) {
      if (!reachable_[i]) continue;
      const FunctionType& type = program_.module->type_of(IndexOf(i));
      structs[ReturnText(type.results)] = type.results;
    }
    for (const auto& [name, results] : structs) {
      text_.Open("struct ", name);
      text_.Line("uint w;");
      text_.Line("uint fuel;");
      for (size_t i = 0; i < results.size(); ++i) text_.Line(TypeText(results[i]), " r", i, ";");
      text_.Close(";");
    }
  }

  // Tables, as far as functions that are printed call through them.
  void Lookups() {
    std::vector<bool> used(program_.lookups.size(), false);
    for (size_t i = 0; i < reachable_.size(); ++i) {
      if (!reachable_[i]) continue;
      for (const ir::Inst& inst : program_.functions[i].insts) {
        if (inst.op == ir::Op::kTableLookup) used[inst.imm] = true;
      }
    }
    for (uint32_t i = 0; i < used.size(); ++i) {
      const std::vector<uint32_t>& entries = program_.lookups[i].entries;
      if (!used[i] || entries.empty()) continue;
      text_.Open("constant uint ", LookupText(i), "[", entries.size(), "] =");
      for (uint32_t entry : entries) text_.Line(entry, "u,");
      text_.Close(";");
    }
  }

  Status CheckLimits(const Text& body, const ir::Function& function) const {
    if (body.max_depth() > FunctionWriter::kMaxBraceDepth) {
      return Refuse("Control structure nested deeper than " +
                        std::to_string(FunctionWriter::kMaxBraceDepth) + " braces",
                    function);
    }
    if (text_.size() + body.size() > FunctionWriter::kMaxTextBytes) {
      return Refuse("Code of more than " + std::to_string(FunctionWriter::kMaxTextBytes) +
                        " bytes of kernel text",
                    function);
    }
    return {};
  }

  Status Functions() {
    for (size_t i = 0; i < reachable_.size(); ++i) {
      if (reachable_[i]) {
        text_.Line(FunctionWriter::Signature(program_, program_.functions[i]), ";");
      }
    }
    for (size_t i = 0; i < reachable_.size(); ++i) {
      if (!reachable_[i]) continue;
      Text body;
      FunctionWriter(program_, layout_, program_.functions[i], body).Write();
      WB_TRY(CheckLimits(body, program_.functions[i]));
      text_.Raw(body.str());
    }
    return {};
  }

  // wb_call: arguments and results lie in the lane's staging area.
  void Dispatcher() {
    text_.Open("static WbEnd wb_call(wb_lane L, uint function, uint fuel, uint resume)");
    text_.Line("uint room = wb_get(L, WB_LANE_MAX_STACK);");
    text_.Line("WbEnd E;");
    text_.Line("E.w = WB_RETURNED;");
    text_.Line("E.fuel = fuel;");
    text_.Open("switch (function)");
    for (uint32_t entry : entries_) Case(program_.function(entry));
    text_.Line("default: { break; }");
    text_.Close();
    text_.Line("return E;");
    text_.Close();
  }

  void Case(const ir::Function& function) {
    const FunctionType& type = program_.module->type_of(function.index);
    text_.Open("case ", function.index, "u:");
    if (!function.bounded) {
      text_.Open("if (room < ", function.stack_slots, "u)");
      text_.Line(
          "wb_trap(L, ",
          Hex(kWhyTrap | static_cast<uint32_t>(Trap::kStackExhausted) << 26 | function.code_offset),
          ", ", function.index, "u);");
      text_.Line("E.w = WB_TRAPPED;");
      text_.Line("break;");
      text_.Close();
    }
    std::string call = FunctionText(function.index) + "(L, ";
    if (!function.bounded) {
      call += "WB_FRAMES_AT, room - " + std::to_string(function.stack_slots) + "u, ";
    }
    call += function.bounded ? "fuel" : "fuel, resume";
    uint32_t word = layout_.stage_at;
    for (ValueType param : type.params) {
      call += ", " + GetText(param, std::to_string(word) + "u");
      word += TypeWords(param);
    }
    text_.Line(ReturnText(type.results), " R = ", call, ");");
    text_.Line("E.w = R.w;");
    text_.Line("E.fuel = R.fuel;");
    if (!type.results.empty()) Results(type.results);
    text_.Line("break;");
    text_.Close();
  }

  void Results(const std::vector<ValueType>& results) {
    text_.Open("if (R.w == WB_RETURNED)");
    uint32_t word = layout_.stage_at;
    for (size_t i = 0; i < results.size(); ++i) {
      text_.Line(PutText(results[i], std::to_string(word) + "u", "R.r" + std::to_string(i)));
      word += TypeWords(results[i]);
    }
    text_.Close();
  }

  const ir::Program& program_;
  const LaneLayout& layout_;
  const CompileOptions& options_;
  std::vector<bool> reachable_;
  std::vector<uint32_t> entries_;
  Text text_;
};

}  // namespace

Result<KernelSource> EmitKernel(const LoweredModule& module, const CompileOptions& options) {
  KernelSource source;
  WB_ASSIGN(source.text, KernelWriter(module, options).Write());
  source.layout = module.layout;
  source.options = options;
  source.digest = DigestBuilder()
                      .Add(CompilerVersion())
                      .Add(ByteView(module.program.module->digest().bytes))
                      .Add(ByteView(RuntimeDigest().bytes))
                      .Add(FloatsName(options.floats))
                      .Add(LayoutName(options.layout))
                      .Add(source.text)
                      .Finish();
  return source;
}

}  // namespace wb
