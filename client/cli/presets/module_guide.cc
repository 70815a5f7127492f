#include "client/cli/presets/module_guide.h"

#include <algorithm>
#include <set>

#include "client/cli/presets/allocators.h"
#include "client/cli/presets/script_array.h"
#include "client/cli/program/module_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kExampleText = "hello";

std::string ExampleElements(const std::string& type) {
  return " --arg 'elements:" + type + ":[1,2,3]'";
}

bool HasExport(const v1::Module& module, std::string_view name) {
  return std::any_of(module.exports().begin(), module.exports().end(),
                     [name](const v1::ModuleExport& exported) { return exported.name() == name; });
}

bool IsCallable(const v1::ModuleExport& exported) {
  return exported.kind() == "function" && !IsSupportExport(exported.name());
}

// The system layer answers both.
bool IsWasi(const std::string& module) {
  return module == "wasi_snapshot_preview1" || module == "wasi_unstable";
}

bool IsPrimitive(const std::string& module) { return module == "wasmburst" || module == "gpu_std"; }

// A word for a shell: in quotes where it needs them.
std::string Quote(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:@%,";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// Bindings that let a module start: its functions from elsewhere trap, its globals are 0.
std::string BindingFlags(const v1::Module& module) {
  std::string flags;
  std::set<std::string> bound;
  for (const v1::ModuleImport& import : module.imports()) {
    if (IsWasi(import.module()) || IsPrimitive(import.module())) continue;
    if (import.kind() == "function" && bound.insert(import.module()).second) {
      flags += " --bind " + Quote(import.module() + ".*=trap");
    } else if (import.kind() == "global") {
      const std::string type = import.type().substr(import.type().rfind(' ') + 1);
      flags +=
          " --bind " + Quote(import.module() + "." + import.name() + "=constant:" + type + ":0");
    }
  }
  return flags;
}

// Memories and tables come from another module.
std::string ModuleFlags(const v1::Module& module) {
  std::string flags;
  std::set<std::string> named;
  for (const v1::ModuleImport& import : module.imports()) {
    const bool is_bound = import.kind() == "function" || import.kind() == "global";
    if (!is_bound && named.insert(import.module()).second) {
      flags += " --module " + Quote(import.module() + "=FILE.wasm");
    }
  }
  return flags;
}

std::string NumberFlag(int type) {
  return type == v1::V128 ? " --arg 0x00000000000000000000000000000000" : " --arg 0";
}

// Leading parameters that are a pointer and a length; of wasm-bindgen behind the return area.
bool BeginsWithBytes(const v1::ModuleExport& function, int first) {
  return function.params_size() >= first + 2 && function.params(first) == v1::I32 &&
         function.params(first + 1) == v1::I32;
}

// wasm-bindgen has functions without a result write one behind their first parameter. Pairs of
// parameters leave one over then.
int FirstOfWasmBindgen(const v1::Module& module, const v1::ModuleExport& function) {
  const bool has_area = function.results_size() == 0 && function.params_size() % 2 == 1 &&
                        HasExport(module, "__wbindgen_add_to_stack_pointer");
  return has_area ? 1 : 0;
}

std::string ArgumentFlags(const v1::Module& module, const v1::ModuleExport& function,
                          std::optional<Preset> preset) {
  const std::string text = std::string(" --arg text:") + kExampleText;
  if (preset == Preset::kHashWasm) return text + " --read digest=32";
  int at = preset == Preset::kWasmBindgen ? FirstOfWasmBindgen(module, function) : 0;
  std::string flags;
  while (at < function.params_size()) {
    const bool is_pair = preset == Preset::kWasmBindgen || (preset == Preset::kBytes && at == 0);
    if (is_pair && BeginsWithBytes(function, at)) {
      flags += text;
      at += 2;
      continue;
    }
    const bool is_object = function.params(at) == v1::I32;
    if (is_object && preset == Preset::kAsString) {
      flags += text;
    } else if (is_object && preset == Preset::kAsArray) {
      flags += ExampleElements("i32");
    } else if (is_object && preset == Preset::kAsDynamicArray) {
      flags += ExampleElements(ScriptArrayClasses(module)[0].element);
    } else {
      flags += NumberFlag(function.params(at));
    }
    ++at;
  }
  return flags;
}

std::string MemoryText(const v1::Module& module) {
  if (module.memory_min_pages() == 0 && module.memory_max_pages() == 0) return "";
  std::string text = "; memory of " + std::to_string(module.memory_min_pages()) + " pages";
  if (module.memory_max_pages() == 0) return text + ", may grow";
  return text + ", at most " + std::to_string(module.memory_max_pages());
}

// What a command's example does not say; the first note of a module is its only one.
std::string NoteOn(const GuideLine& line) {
  if (line.function.empty()) return "The program's arguments stand behind --.";
  if (line.preset == Preset::kHashWasm) return "32 stands for the bytes of the digest.";
  if (line.preset != Preset::kAsString) return "";
  return "Types do not tell texts, arrays and numbers apart: as-string is for texts, as-array for\n"
         "typed arrays, as-dynamic-array for Array<T>, as-buffer for ArrayBuffer and StaticArray. "
         "A\n"
         "parameter that is a number takes --arg NUMBER; --plain-result leaves a result that is a\n"
         "number as it is.";
}

}  // namespace

std::string ModuleKind(const v1::Module& module) {
  if (HasExport(module, "_start")) return "a WASI command";
  if (HasExport(module, "_initialize")) return "a WASI reactor";
  const bool has_function =
      std::any_of(module.exports().begin(), module.exports().end(), IsCallable);
  return has_function ? "a library" : "no functions to call";
}

std::string ImportGivenBy(const v1::ModuleImport& import) {
  if (IsWasi(import.module())) return "given by the system layer";
  if (IsPrimitive(import.module())) return "given by the device";
  const std::string module = "--module " + Quote(import.module() + "=FILE");
  if (import.kind() != "function" && import.kind() != "global") return "give " + module;
  const bool is_function = import.kind() == "function";
  const std::string way = is_function ? "trap" : "constant:...";
  return "give --bind " + Quote(import.module() + "." + import.name() + "=" + way) +
         (is_function ? " (or ignore, record, host) or " : " or ") + module;
}

std::optional<Preset> FittingPreset(const v1::Module& module, const v1::ModuleExport& function) {
  if (!IsCallable(function)) return std::nullopt;
  if (function.name() == "Hash_Final" && HasFunction(module, "Hash_GetBuffer", 0, 1)) {
    return Preset::kHashWasm;
  }
  const auto is_i32 = [](int type) { return type == v1::I32; };
  const bool has_i32 = std::any_of(function.params().begin(), function.params().end(), is_i32) ||
                       std::any_of(function.results().begin(), function.results().end(), is_i32);
  if (FindAllocator(module, AllocatorFamily::kAssemblyScript) && has_i32) return Preset::kAsString;
  const int first = FirstOfWasmBindgen(module, function);
  const bool has_bytes =
      BeginsWithBytes(function, first) || first == 1 || function.results_size() == 2;
  if (FindAllocator(module, AllocatorFamily::kWasmBindgen) && has_bytes) {
    return Preset::kWasmBindgen;
  }
  const bool has_room = FindAllocator(module, AllocatorFamily::kPlain).has_value();
  if (has_room && BeginsWithBytes(function, 0)) return Preset::kBytes;
  return std::nullopt;
}

namespace {

// The presets that a function may be called by, likeliest first.
std::vector<std::optional<Preset>> FittingPresets(const v1::Module& module,
                                                  const v1::ModuleExport& function) {
  const std::optional<Preset> preset = FittingPreset(module, function);
  if (preset != Preset::kAsString) return {preset};
  if (ScriptArrayClasses(module).empty()) return {preset, Preset::kAsArray};
  return {preset, Preset::kAsArray, Preset::kAsDynamicArray};
}

std::string CommandOf(const v1::Module& module, const v1::ModuleExport& function,
                      std::optional<Preset> preset) {
  std::string command;
  if (preset != Preset::kHashWasm) command += " --call " + Quote(function.name());
  if (preset) command += std::string(" --call-as ") + InfoOf(*preset).name;
  return command + ArgumentFlags(module, function, preset);
}

}  // namespace

std::vector<GuideLine> RunCommands(const v1::Module& module, const std::string& file) {
  const std::string given = ModuleFlags(module) + BindingFlags(module);
  if (HasExport(module, "_start")) {
    return {{"", std::nullopt, "wasmburstctl run " + Quote(file) + BindingFlags(module) + " --"}};
  }
  std::vector<GuideLine> lines;
  const bool is_hash = HasFunction(module, "Hash_GetBuffer", 0, 1);
  for (const v1::ModuleExport& function : module.exports()) {
    if (!IsCallable(function)) continue;
    for (const std::optional<Preset> preset : FittingPresets(module, function)) {
      if (is_hash && preset != Preset::kHashWasm) continue;
      lines.push_back(
          {function.name(), preset,
           "wasmburstctl job run " + Quote(file) + given + CommandOf(module, function, preset)});
    }
  }
  return lines;
}

std::string ModuleGuide(const v1::Module& module, const std::string& file) {
  std::string text =
      "  " + ModuleKind(module) + MemoryText(module) + "\n" + ModuleText(module, ImportGivenBy);
  for (const std::string& hint : module.hints()) text += "\n  hint " + hint;
  for (const std::string& line : module.ignored_hints()) text += "\n  no hint, ignored: " + line;
  const std::vector<GuideLine> commands = RunCommands(module, file);
  if (!commands.empty()) text += "\nTo run it:";
  for (const GuideLine& line : commands) text += "\n  " + line.command;
  for (const GuideLine& line : commands) {
    const std::string note = NoteOn(line);
    if (!note.empty()) return text + "\n" + note;
  }
  return text;
}

}  // namespace wb::cli
