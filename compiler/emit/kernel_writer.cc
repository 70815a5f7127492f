// EmitKernel: the whole text of a module: runtime parts, constants, functions, the entry.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "compiler/abi/version.h"
#include "compiler/base/digest.h"
#include "compiler/emit/constant_arrays.h"
#include "compiler/emit/dispatcher.h"
#include "compiler/emit/function/function_writer.h"
#include "compiler/emit/kernel.h"
#include "compiler/emit/plan/flat_plan.h"
#include "compiler/emit/plan/inline_plan.h"
#include "compiler/emit/plan/native_calls.h"
#include "compiler/emit/text/function_copy.h"
#include "compiler/emit/text/names.h"
#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

class KernelWriter {
 public:
  KernelWriter(const LoweredModule& module, const CompileOptions& options, const Stop& stop)
      : program_(module.program),
        layout_(module.layout),
        options_(options),
        stop_(stop),
        entries_(FindEntries(*program_.module)),
        native_(program_, entries_, options),
        hot_(HotBytesOf(program_, options)) {}

  Result<std::string> Write() {
    text_.Raw(OpeningText({options_.floats, options_.layout, UsesVectors(), program_.meets,
                           layout_.group_memory_at != 0, options_.native_group_memory},
                          Constants()));
    Structs();
    WriteConstantArrays(program_, Printed(), text_);
    WB_TRY(Functions());
    WriteDispatcher(program_, layout_, Roots(), text_);
    text_.Raw(ClosingText(FormOfKernel()));
    return text_.Take();
  }

 private:
  uint32_t IndexOf(size_t position) const {
    return program_.module->imported_functions + static_cast<uint32_t>(position);
  }

  // Exports and the start function can be called from outside; the rest only through them.
  static std::vector<uint32_t> FindEntries(const Module& module) {
    std::vector<uint32_t> entries;
    for (const Export& item : module.exports) {
      if (item.kind == ExternKind::kFunction) entries.push_back(item.index);
    }
    if (module.start) entries.push_back(*module.start);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    return entries;
  }

  bool IsReachable(size_t position) const { return native_.IsReachable(IndexOf(position)); }

  std::vector<bool> Printed() const {
    std::vector<bool> printed(program_.functions.size());
    for (size_t i = 0; i < printed.size(); ++i) printed[i] = IsReachable(i);
    return printed;
  }

  // What the outer loop enters: entries, and recursive functions.
  std::vector<uint32_t> Roots() const {
    std::vector<uint32_t> roots = entries_;
    for (size_t i = 0; i < program_.functions.size(); ++i) {
      if (IsReachable(i) && program_.functions[i].recursive) roots.push_back(IndexOf(i));
    }
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    return roots;
  }

  KernelForm FormOfKernel() const {
    if (program_.meets) return KernelForm::kMeets;
    return program_.asks ? KernelForm::kAnswers : KernelForm::kPlain;
  }

  bool IsRecursive() const {
    for (size_t i = 0; i < program_.functions.size(); ++i) {
      if (IsReachable(i) && program_.functions[i].recursive) return true;
    }
    return false;
  }

  static Status Refuse(const std::string& what, const ir::Function& function) {
    return Status(Reason::kWasmUnsupportedFeature,
                  what + " in function [" + std::to_string(function.index) +
                      "] cannot be compiled to a kernel; the interpreter runs it.",
                  {{"offset", std::to_string(function.code_offset)},
                   {"function", std::to_string(function.index)}});
  }

  // The module's constants, which the runtime text reads.
  std::string Constants() const {
    const bool contiguous = options_.layout == MemoryLayout::kContiguous;
    Text text;
    auto constant = [&](const char* name, uint32_t value) {
      text.Line("constant uint ", name, " = ", value, "u;");
    };
    constant("WB_STRIDE", contiguous ? 1u : uint32_t{abi::GROUP_LANES});
    constant("WB_GLOBALS_AT", layout_.globals_at);
    constant("WB_GLOBALS_SIZE", program_.globals_size);
    constant("WB_MEMORY_AT", layout_.memory_at);
    constant("WB_WINDOWED", static_cast<uint32_t>(WindowFormOf(program_, options_)));
    if (!hot_.empty() || options_.layout == MemoryLayout::kHot) {
      constant("WB_HOT_FROM", hot_.from);
      constant("WB_HOT_BYTES", hot_.bytes);
    }
    constant("WB_RECURSIVE", IsRecursive() ? 1 : 0);
    constant("WB_PRIMITIVES", program_.asks ? 1 : 0);
    constant("WB_COLLECTIVES", program_.meets ? 1 : 0);
    if (program_.meets) {
      constant("WB_GROUP_AT", layout_.group_at);
      constant("WB_GROUP_MEMORY_AT", layout_.group_memory_at);
    }
    constant("WB_LOCKSTEP", 1);  // of a text's own kernel; processors have another (cpu_entry.h)
    return text.Take();
  }

  // A function without a v128 among its variables has no vector operators.
  bool UsesVectors() const {
    for (size_t i = 0; i < program_.functions.size(); ++i) {
      const std::vector<ValueType>& vars = program_.functions[i].vars;
      if (IsReachable(i) && std::find(vars.begin(), vars.end(), ValueType::kV128) != vars.end()) {
        return true;
      }
    }
    return false;
  }

  // The structs that functions return, by result types.
  void Structs() {
    std::map<std::string, std::vector<ValueType>> structs;
    for (size_t i = 0; i < program_.functions.size(); ++i) {
      if (!IsReachable(i)) continue;
      const std::vector<ValueType> results = ir::ResultTypes(program_.functions[i]);
      structs[ReturnText(results)] = results;
    }
    for (const auto& [name, results] : structs) {
      text_.Open("struct ", name);
      text_.Line("uint w;");
      text_.Line("uint fuel;");
      for (size_t i = 0; i < results.size(); ++i) text_.Line(TypeText(results[i]), " r", i, ";");
      text_.Close(";");
    }
  }

  Status CheckLimits(const Text& body, const ir::Function& function) const {
    if (body.max_depth() > kMaxBraceDepth) {
      return Refuse(
          "Control structure nested deeper than " + std::to_string(kMaxBraceDepth) + " braces",
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
    const InlinePlan inlining(program_, native_, options_.most_inlined_rows);
    for (const ir::Function& function : program_.functions) {
      for (uint32_t copy : native_.CopiesOf(function.index)) {
        const bool may_inline = inlining.MayInline(function.index, copy);
        text_.Line(may_inline ? "" : "__attribute__((noinline)) ", SignatureText({function, copy}),
                   ";");
      }
    }
    for (const ir::Function& function : program_.functions) {
      for (uint32_t copy : native_.CopiesOf(function.index)) {
        WB_TRY(CheckStop(stop_));
        Text body;
        const FunctionCopy form = {function, copy, native_.Loops(function.index)};
        FunctionWriter(program_, layout_, native_, form, options_, hot_, body).Write();
        WB_TRY(CheckLimits(body, function));
        text_.Raw(body.str());
      }
    }
    return {};
  }

  const ir::Program& program_;
  const LaneLayout& layout_;
  const CompileOptions& options_;
  const Stop& stop_;
  const std::vector<uint32_t> entries_;
  const NativeCalls native_;
  const HotBytes hot_;
  Text text_;
};

}  // namespace

Result<KernelSource> EmitKernel(const LoweredModule& module, const CompileOptions& options,
                                const Stop& stop) {
  KernelSource source;
  WB_ASSIGN(source.text, KernelWriter(module, options, stop).Write());
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
