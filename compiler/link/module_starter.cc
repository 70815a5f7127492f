#include "compiler/link/module_starter.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "compiler/link/module_bytes.h"

namespace wb {

// All that the bytes say of a module besides that it is derived from.
struct StartDerivation {
  CommonStart::Part part = CommonStart::Part::kBeginning;
  StartWish wish;
  StartPicture picture;
};

namespace {

constexpr std::array<uint8_t, 8> kStartedMagic = {0, 'w', 'b', 's', 1, 0, 0, 0};

Status NotWhole() {
  return Status(Reason::kWasmMalformed, "A module with a common start is not whole.");
}

void PutWish(const StartWish& wish, Bytes& out) {
  PutNumber(out, wish.function);
  PutNumber(out, wish.links.size());
  for (const CommonStart::Link& link : wish.links) {
    PutNumber(out, link.callee);
    PutNumber(out, link.offset);
  }
  PutNumber(out, wish.also.size());
  for (const uint32_t function : wish.also) PutNumber(out, function);
}

void PutPicture(const StartPicture& picture, Bytes& out) {
  PutNumber(out, picture.fuel);
  PutNumber(out, picture.values.size() * 2);
  for (const uint64_t value : picture.values) {
    PutNumber(out, value & 0xffffffffu);
    PutNumber(out, value >> 32);
  }
  PutNumber(out, picture.globals.size());
  for (const uint32_t word : picture.globals) PutNumber(out, word);
  PutNumber(out, picture.memory.size());
  for (const StartedMemory& range : picture.memory) {
    PutNumber(out, range.memory);
    PutNumber(out, range.address);
    PutBytes(out, range.bytes);
  }
}

Bytes Encode(const Module& module, const StartDerivation& derivation) {
  Bytes out(kStartedMagic.begin(), kStartedMagic.end());
  PutNumber(out, derivation.part == CommonStart::Part::kRest ? 1 : 0);
  PutWish(derivation.wish, out);
  if (derivation.part == CommonStart::Part::kRest) PutPicture(derivation.picture, out);
  PutBytes(out, module.binary());
  return out;
}

bool ReadWish(BytesReader& reader, StartWish* wish) {
  uint32_t links = 0;
  if (!reader.Number(&wish->function) || !reader.Number(&links)) return false;
  for (uint32_t i = 0; i < links; ++i) {
    CommonStart::Link& link = wish->links.emplace_back();
    if (!reader.Number(&link.callee) || !reader.Number(&link.offset)) return false;
  }
  return reader.Numbers(&wish->also);
}

bool ReadPicture(BytesReader& reader, StartPicture* picture) {
  std::vector<uint32_t> values;
  if (!reader.Number(&picture->fuel) || !reader.Numbers(&values)) return false;
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    picture->values.push_back(values[i] | uint64_t{values[i + 1]} << 32);
  }
  uint32_t ranges = 0;
  if (!reader.Numbers(&picture->globals) || !reader.Number(&ranges)) return false;
  for (uint32_t i = 0; i < ranges; ++i) {
    StartedMemory range;
    ByteView bytes;
    if (!reader.Number(&range.memory) || !reader.Number(&range.address)) return false;
    if (!reader.Part(&bytes)) return false;
    range.bytes.assign(bytes.begin(), bytes.end());
    picture->memory.push_back(std::move(range));
  }
  return true;
}

}  // namespace

// Makes the module of another one, step by step.
class ModuleStarter {
 public:
  ModuleStarter(const Module& module, const StartDerivation& derivation)
      : derivation_(derivation), module_(std::make_shared<Module>(module)) {}

  // False: the derivation does not fit the module.
  bool Derive() {
    const StartWish& wish = derivation_.wish;
    if (module_->common_start || !IsBody(wish.function)) return false;
    CommonStart start;
    start.part = derivation_.part;
    start.function = wish.function;
    start.links = wish.links;
    start.first_copy = static_cast<uint32_t>(module_->functions.size());
    start.fuel = derivation_.picture.fuel;
    start.values = derivation_.picture.values;
    uint32_t caller = wish.function;
    for (const CommonStart::Link& link : wish.links) {
      if (!IsBody(link.callee) || !CallCopy(caller, link)) return false;
      caller = static_cast<uint32_t>(module_->functions.size()) - 1;
    }
    KeepExports();
    module_->common_start = std::move(start);
    return derivation_.part == CommonStart::Part::kBeginning || BeginAtPicture();
  }

  std::shared_ptr<const Module> Take(Bytes bytes) {
    module_->digest_ = Sha256(bytes);
    module_->binary_ = std::move(bytes);
    return std::move(module_);
  }

 private:
  bool IsBody(uint32_t function) const {
    return function >= module_->imported_functions && function < module_->functions.size();
  }
  Body& BodyOf(uint32_t function) {
    return module_->bodies[function - module_->imported_functions];
  }

  // The copy is the last function now.
  bool CallCopy(uint32_t caller, const CommonStart::Link& link) {
    std::vector<Instruction>& code = BodyOf(caller).instructions;
    const auto call = std::find_if(code.begin(), code.end(), [&](const Instruction& its) {
      return its.offset == link.offset && its.opcode == Opcode::kCall && its.imm == link.callee;
    });
    if (call == code.end()) return false;
    call->imm = module_->functions.size();
    module_->functions.push_back(Function(module_->functions[link.callee]));
    module_->bodies.push_back(Body(BodyOf(link.callee)));
    return true;
  }

  // Of functions the ones that the lane program calls.
  void KeepExports() {
    std::set<uint32_t> kept(derivation_.wish.also.begin(), derivation_.wish.also.end());
    kept.insert(derivation_.wish.function);
    std::erase_if(module_->exports, [&](const Export& exported) {
      return exported.kind == ExternKind::kFunction && !kept.contains(exported.index);
    });
  }

  bool BeginAtPicture() {
    module_->start.reset();
    return SetGlobals() && SetMemory();
  }

  // References are as they were: the start does not change them.
  bool SetGlobals() {
    const std::vector<uint32_t>& words = derivation_.picture.globals;
    const std::vector<uint32_t> at = module_->GlobalWords();
    for (size_t i = 0; i < at.size(); ++i) {
      Global& global = module_->globals[i];
      if (at[i] + TypeWords(global.type) > words.size()) return false;
      if (!global.is_mutable) continue;
      Instruction init = global.init.instruction;
      const uint64_t low = words[at[i]];
      switch (global.type) {
        case ValueType::kI32: init = {Opcode::kI32Const, init.offset, 0, low}; break;
        case ValueType::kF32: init = {Opcode::kF32Const, init.offset, 0, low}; break;
        case ValueType::kI64:
        case ValueType::kF64:
          init = {global.type == ValueType::kI64 ? Opcode::kI64Const : Opcode::kF64Const,
                  init.offset, 0, low | uint64_t{words[at[i] + 1]} << 32};
          break;
        case ValueType::kV128:
          init = {Opcode::kV128Const, init.offset, 0, module_->vectors.size()};
          module_->vectors.push_back(
              {words[at[i]], words[at[i] + 1], words[at[i] + 2], words[at[i] + 3]});
          break;
        default: break;
      }
      global.init.instruction = init;
    }
    return true;
  }

  // Segments keep their numbers.
  bool SetMemory() {
    for (DataSegment& segment : module_->data) {
      if (segment.mode != SegmentMode::kActive) continue;
      segment.bytes.clear();
      segment.offset.instruction = {Opcode::kI32Const, segment.file_offset, 0, 0};
    }
    for (const StartedMemory& range : derivation_.picture.memory) {
      if (range.memory >= module_->memories.size()) return false;
      const uint64_t most = uint64_t{module_->memories[range.memory].limits.min} * abi::PAGE_BYTES;
      if (uint64_t{range.address} + range.bytes.size() > most) return false;
      DataSegment& segment = module_->data.emplace_back();
      segment.memory = range.memory;
      segment.offset.instruction = {Opcode::kI32Const, 0, 0, range.address};
      segment.bytes = range.bytes;
    }
    return true;
  }

  const StartDerivation& derivation_;
  std::shared_ptr<Module> module_;
};

namespace {

Result<std::shared_ptr<const Module>> Derived(const Module& module,
                                              const StartDerivation& derivation, Bytes bytes) {
  ModuleStarter starter(module, derivation);
  if (!starter.Derive()) {
    return Status(Reason::kWasmMalformed, "A common start does not fit its module.");
  }
  return starter.Take(std::move(bytes));
}

}  // namespace

Result<std::shared_ptr<const Module>> BeginningOf(const Module& module, const StartWish& wish) {
  const StartDerivation derivation{CommonStart::Part::kBeginning, wish, {}};
  return Derived(module, derivation, Encode(module, derivation));
}

Result<std::shared_ptr<const Module>> RestOf(const Module& module, const StartWish& wish,
                                             const StartPicture& picture) {
  const StartDerivation derivation{CommonStart::Part::kRest, wish, picture};
  return Derived(module, derivation, Encode(module, derivation));
}

bool IsStartedModule(ByteView bytes) {
  return bytes.size() >= kStartedMagic.size() &&
         std::equal(kStartedMagic.begin(), kStartedMagic.end(), bytes.begin());
}

Result<std::shared_ptr<const Module>> LoadStartedModule(ByteView bytes, ModuleLoader load) {
  BytesReader reader(bytes.subspan(kStartedMagic.size()));
  StartDerivation derivation;
  uint32_t is_rest = 0;
  ByteView whole;
  if (!reader.Number(&is_rest) || !ReadWish(reader, &derivation.wish)) return NotWhole();
  if (is_rest != 0) derivation.part = CommonStart::Part::kRest;
  if (is_rest != 0 && !ReadPicture(reader, &derivation.picture)) return NotWhole();
  if (!reader.Part(&whole) || !reader.done() || IsStartedModule(whole)) return NotWhole();
  WB_ASSIGN(const std::shared_ptr<const Module> module, load(whole));
  return Derived(*module, derivation, Bytes(bytes.begin(), bytes.end()));
}

}  // namespace wb
