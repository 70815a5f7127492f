#include "client/cli/presets/preset_job.h"

#include <optional>
#include <utility>

#include "client/cli/presets/allocators.h"
#include "client/cli/presets/preset_result.h"
#include "client/cli/presets/script_array.h"
#include "client/cli/presets/step_writer.h"
#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kStackPointer = "__wbindgen_add_to_stack_pointer";
constexpr uint32_t kReturnArea = 16;         // bytes, as wasm-bindgen's own JavaScript takes
constexpr uint32_t kClassOfArrayBuffer = 1;  // of AssemblyScript's runtime
constexpr uint32_t kClassOfString = 2;

// Objects that are a header, which points to a buffer.
bool HasHeader(Preset preset) {
  return preset == Preset::kAsArray || preset == Preset::kAsDynamicArray;
}

bool IsAssemblyScript(Preset preset) {
  return HasHeader(preset) || preset == Preset::kAsString || preset == Preset::kAsBuffer;
}

AllocatorFamily FamilyOf(Preset preset) {
  if (IsAssemblyScript(preset)) return AllocatorFamily::kAssemblyScript;
  return preset == Preset::kWasmBindgen ? AllocatorFamily::kWasmBindgen : AllocatorFamily::kPlain;
}

// Room of an argument's bytes.
struct Room {
  v1::Operand pointer;
  v1::Operand length;
  uint32_t class_number = kClassOfArrayBuffer;  // of AssemblyScript
};

class PresetJobWriter {
 public:
  PresetJobWriter(const PresetOptions& options, const v1::Module& module)
      : options_(options), module_(module), steps_(&job_) {}

  Result<v1::Job> Write(std::vector<InputColumn>* inputs);

 private:
  // Parameters of the call that an argument of bytes is.
  int PointerParameters() const;
  Status CheckParameters();
  Status FindRoom();
  v1::Operand Allocate(const Room& room);
  Room AddHeader(const std::vector<v1::Operand>& words, uint32_t class_number);
  Room AddTypedArray(const Room& buffer);
  Result<Room> AddDynamicArray(const Room& buffer, const PresetArgument& argument);
  Status PlaceBytes(const PresetArgument& argument);
  Result<v1::Operand> NumberOf(const ArgSpec& spec, v1::ValueType type, v1::Column* column);
  Status AddArgument(const PresetArgument& argument, std::vector<InputColumn>* inputs);
  void RefuseNull(uint32_t call);
  v1::Operand BytesOf(const PresetResult& result, uint32_t call);
  Status ReadResults(uint32_t call);
  void Release(const Room& room);
  void ReleaseAll(const std::optional<PresetResult>& result);
  std::vector<v1::Operand> Passed(const std::vector<AllocatorParameter>& parameters,
                                  const Room& room) const;

  const PresetOptions& options_;
  const v1::Module& module_;
  v1::Job job_;
  StepWriter steps_;
  v1::ModuleExport function_;
  std::vector<PresetArgument> arguments_;
  std::optional<Allocator> allocator_;
  std::optional<v1::Operand> return_area_;
  std::vector<v1::Operand> call_args_;
  std::vector<Room> rooms_;
};

int PresetJobWriter::PointerParameters() const {
  const Preset preset = options_.preset;
  return preset == Preset::kBytes || preset == Preset::kWasmBindgen ? 2 : 1;
}

// Rust functions that return a text take the address of pointer and length before all else.
Status PresetJobWriter::CheckParameters() {
  int given = 0;
  for (const PresetArgument& argument : arguments_) {
    given += argument.is_bytes() ? PointerParameters() : 1;
  }
  const bool has_area = options_.preset == Preset::kWasmBindgen &&
                        function_.params_size() == given + 1 && function_.results_size() == 0 &&
                        HasFunction(module_, kStackPointer, 1, 1);
  if (has_area) {
    return_area_ = ResultOperandOf(steps_.Call(kStackPointer, {NumberOperand(0 - kReturnArea)}));
    call_args_.push_back(*return_area_);
    return {};
  }
  if (function_.params_size() == given) return {};
  return Status(Reason::kSignatureMismatch,
                "The function [" + SignatureText(function_) + "] takes [" +
                    std::to_string(function_.params_size()) + "] parameters; by --call-as " +
                    InfoOf(options_.preset).name + " the arguments that were given are [" +
                    std::to_string(given) + "]. Bytes (text:..., hex:..., @FILE) are [" +
                    std::to_string(PointerParameters()) + "] of them, a number is one.");
}

Status PresetJobWriter::FindRoom() {
  const ProgramOptions& program = options_.program;
  if (!program.write_at.empty()) {
    if (!HasHeader(options_.preset)) return {};
    return Status(Reason::kInvalidArgument,
                  "--write-at [" + program.write_at +
                      "] has room for bytes alone; an array has a header besides. Leave it "
                      "out: the module's __new gives room, with --exportRuntime.");
  }
  if (!program.alloc.empty() && options_.preset == Preset::kAsDynamicArray) {
    return Status(Reason::kInvalidArgument,
                  "--alloc [" + program.alloc +
                      "] is told no class, which an Array<T> has. Leave it out: the module's "
                      "__new gives room, with --exportRuntime.");
  }
  if (program.alloc.empty()) {
    allocator_ = FindAllocator(module_, FamilyOf(options_.preset));
  } else {
    WB_TRY(FindFunction(module_, program.alloc).status());
    if (HasFunction(module_, program.alloc, 1, 1)) {
      allocator_ = Allocator{program.alloc, {AllocatorParameter::kLength}, "", {}};
    }
  }
  if (allocator_) return {};
  return Status(Reason::kEntryPointNotFound,
                std::string("The module exports nothing that gives room for bytes by --call-as ") +
                    InfoOf(options_.preset).name +
                    " (malloc, alloc or allocate; __new of AssemblyScript, with --exportRuntime; "
                    "__wbindgen_malloc). Name one that takes a length and returns a pointer by "
                    "--alloc EXPORT, or give --write-at ADDRESS.");
}

std::vector<v1::Operand> PresetJobWriter::Passed(const std::vector<AllocatorParameter>& parameters,
                                                 const Room& room) const {
  std::vector<v1::Operand> operands;
  for (const AllocatorParameter parameter : parameters) {
    switch (parameter) {
      case AllocatorParameter::kPointer: operands.push_back(room.pointer); break;
      case AllocatorParameter::kLength: operands.push_back(room.length); break;
      case AllocatorParameter::kAlignment: operands.push_back(NumberOperand(1)); break;
      case AllocatorParameter::kClass: operands.push_back(NumberOperand(room.class_number)); break;
    }
  }
  return operands;
}

// AssemblyScript's collector leaves alone what is pinned.
v1::Operand PresetJobWriter::Allocate(const Room& room) {
  const uint32_t step =
      steps_.Call(allocator_->allocate, Passed(allocator_->allocate_parameters, room));
  const v1::Operand pointer = ResultOperandOf(step);
  const bool pins = IsAssemblyScript(options_.preset) && HasFunction(module_, "__pin", 1, 1);
  if (pins) steps_.Call("__pin", {pointer});
  return pointer;
}

Room PresetJobWriter::AddHeader(const std::vector<v1::Operand>& words, uint32_t class_number) {
  Room header{{}, NumberOperand(static_cast<uint32_t>(4 * words.size())), class_number};
  header.pointer = Allocate(header);
  v1::Operand at = header.pointer;
  for (const v1::Operand& word : words) {
    steps_.Store(at, word);
    at.mutable_add()->set_i32(at.add().i32() + 4);
  }
  return header;
}

// Buffer, start of the data, bytes of the data. The header's class says only what the collector
// visits. As an ArrayBuffer's it visits nothing, and the buffer is pinned by itself; the numbers of
// other classes differ from module to module.
Room PresetJobWriter::AddTypedArray(const Room& buffer) {
  return AddHeader({buffer.pointer, buffer.pointer, buffer.length}, kClassOfArrayBuffer);
}

// An array that grows gets another buffer, which the collector finds by the header's own class.
Result<Room> PresetJobWriter::AddDynamicArray(const Room& buffer, const PresetArgument& argument) {
  const std::string& element = argument.spec.element;
  WB_ASSIGN(const ScriptArrayClass type,
            ScriptArrayClassOf(module_, element.empty() ? "u8" : element));
  WB_ASSIGN(const ArgSpec counts, ElementCounts(argument.kept, argument.name, type));
  v1::Column column;
  WB_ASSIGN(const v1::Operand count, NumberOf(counts, v1::I32, &column));
  return AddHeader({buffer.pointer, buffer.pointer, buffer.length, count}, type.number);
}

Status PresetJobWriter::PlaceBytes(const PresetArgument& argument) {
  WB_TRY(FindRoom());
  WB_ASSIGN(*job_.add_columns(),
            BuildColumn(argument.kept, v1::VALUE_TYPE_UNSPECIFIED, job_.instances()));
  const auto column = static_cast<uint32_t>(job_.columns_size() - 1);
  const bool is_string = options_.preset == Preset::kAsString;
  Room room{{}, LengthOperand(column), is_string ? kClassOfString : kClassOfArrayBuffer};
  if (allocator_) {
    room.pointer = Allocate(room);
  } else if (rooms_.empty()) {
    WB_ASSIGN(*room.pointer.mutable_constant(), ParseValue(options_.program.write_at, v1::I32));
  } else {
    return Status(Reason::kInvalidArgument,
                  "--write-at [" + options_.program.write_at +
                      "] has room for one argument of bytes; [" + argument.name +
                      "] is another. Name what gives room by --alloc EXPORT.");
  }
  steps_.Write(room.pointer, column);
  rooms_.push_back(room);
  if (options_.preset == Preset::kAsArray) {
    room = AddTypedArray(room);
    rooms_.push_back(room);
  } else if (options_.preset == Preset::kAsDynamicArray) {
    WB_ASSIGN(room, AddDynamicArray(room, argument));
    rooms_.push_back(room);
  }
  call_args_.push_back(room.pointer);
  if (PointerParameters() == 2) call_args_.push_back(room.length);
  return {};
}

// A constant, or a column of the job's, which `column` is then.
Result<v1::Operand> PresetJobWriter::NumberOf(const ArgSpec& spec, v1::ValueType type,
                                              v1::Column* column) {
  v1::Operand operand;
  if (spec.kind == ArgSpec::Kind::kConstant) {
    WB_ASSIGN(*operand.mutable_constant(), BuildConstant(spec, type));
    return operand;
  }
  WB_ASSIGN(*column, BuildColumn(spec, type, job_.instances()));
  operand.set_column(static_cast<uint32_t>(job_.columns_size()));
  *job_.add_columns() = *column;
  return operand;
}

Status PresetJobWriter::AddArgument(const PresetArgument& argument,
                                    std::vector<InputColumn>* inputs) {
  const int at = static_cast<int>(call_args_.size());
  if (argument.is_bytes()) {
    const int column = job_.columns_size();
    WB_TRY(PlaceBytes(argument));
    inputs->push_back(ShownInput(argument.name, argument.spec, job_.columns(column)));
    return {};
  }
  v1::Column column;
  WB_ASSIGN(v1::Operand operand,
            NumberOf(argument.spec, static_cast<v1::ValueType>(function_.params(at)), &column));
  call_args_.push_back(std::move(operand));
  inputs->push_back(ShownInput(argument.name, argument.spec, column));
  return {};
}

void PresetJobWriter::Release(const Room& room) {
  if (!allocator_ || allocator_->release.empty()) return;
  steps_.Call(allocator_->release, Passed(allocator_->release_parameters, room));
}

// Rust functions own the bytes that they are given, and their caller what they return.
void PresetJobWriter::ReleaseAll(const std::optional<PresetResult>& result) {
  if (options_.preset != Preset::kWasmBindgen) {
    for (const Room& room : rooms_) Release(room);
    return;
  }
  if (!allocator_) allocator_ = FindAllocator(module_, AllocatorFamily::kWasmBindgen);
  if (result) Release({result->pointer, *result->length});
  if (return_area_) steps_.Call(kStackPointer, {NumberOperand(kReturnArea)});
}

// An object of AssemblyScript has a header before it, and a null has not: before address 0 no
// memory is. Writing a word of the header as it is traps for a null alone.
void PresetJobWriter::RefuseNull(uint32_t call) {
  const v1::Operand word = ResultOperandOf(call, 0, kObjectSize);
  steps_.Store(word, LoadOperand(word));
}

// The size of an Array<T>'s elements is known by the class of what came back.
v1::Operand PresetJobWriter::BytesOf(const PresetResult& result, uint32_t call) {
  if (options_.preset != Preset::kAsDynamicArray) return *result.length;
  job_.add_linked()->set_name(kArrayBytesModule);
  return ArrayBytes(&steps_, ResultOperandOf(call), ScriptArrayClasses(module_));
}

Status PresetJobWriter::ReadResults(uint32_t call) {
  std::optional<PresetResult> result;
  if (!options_.plain_result) {
    result = PresetResultOf(options_.preset, function_, call, return_area_);
  }
  // Other reads of AssemblyScript's objects take the length from the header.
  const bool skips_header = options_.preset == Preset::kAsArray || !options_.program.reads.empty();
  if (result && IsAssemblyScript(options_.preset) && skips_header) RefuseNull(call);
  const std::string output = InfoOf(options_.preset).output;
  // A function that returns nothing has changed the bytes where they are.
  const bool in_place =
      options_.preset == Preset::kBytes && function_.results_size() == 0 && rooms_.size() == 1;
  if (!options_.program.reads.empty()) {
    const v1::Operand pointer = result     ? result->pointer
                                : in_place ? rooms_[0].pointer
                                           : ResultOperandOf(call);
    for (const std::string& read : options_.program.reads) WB_TRY(AddRead(read, pointer, &job_));
  } else if (result && result->length) {
    steps_.Read(result->pointer, BytesOf(*result, call), output);
  } else if (result) {
    steps_.ReadUntilZero(result->pointer, output);
  } else if (in_place) {
    steps_.Read(rooms_[0].pointer, rooms_[0].length, output);
  }
  const v1::TextEncoding encoding = EncodingOf(InfoOf(options_.preset).form);
  for (v1::Step& step : *job_.mutable_steps()) {
    if (step.has_read()) step.mutable_read()->set_text(encoding);
  }
  ReleaseAll(result);
  return {};
}

Result<v1::Job> PresetJobWriter::Write(std::vector<InputColumn>* inputs) {
  WB_ASSIGN(function_, FindFunction(module_, options_.program.call));
  WB_ASSIGN(arguments_, ReadPresetArguments(options_));
  WB_ASSIGN(const uint64_t instances, InstancesOf(options_, arguments_));
  job_.set_instances(instances);
  if (HasFunction(module_, "_initialize", 0, 0)) steps_.Call("_initialize", {});
  WB_TRY(CheckParameters());
  for (const PresetArgument& argument : arguments_) WB_TRY(AddArgument(argument, inputs));
  WB_TRY(ReadResults(steps_.Call(options_.program.call, call_args_)));
  return std::move(job_);
}

}  // namespace

Result<v1::Job> BuildPresetJob(const PresetOptions& options, const v1::Module& module,
                               std::vector<InputColumn>* inputs) {
  if (options.preset == Preset::kHashWasm) return BuildHashJob(options, module, inputs);
  return PresetJobWriter(options, module).Write(inputs);
}

}  // namespace wb::cli
