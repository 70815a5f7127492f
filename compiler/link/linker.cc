// The second half of Link: what refers to the index spaces, and how parts are instantiated.

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/link/bundle.h"
#include "compiler/link/index_spaces.h"
#include "compiler/link/instantiation.h"
#include "compiler/link/link.h"

namespace wb {

class Linker {
 public:
  Linker(const std::vector<LinkPart>& parts, const Imports& host, Instantiation when)
      : parts_(parts), when_(when), spaces_(parts, host, *whole_), effects_(*whole_, when) {}

  Result<std::shared_ptr<const Module>> Run() {
    WB_TRY(spaces_.Place());
    for (size_t i = 0; i < parts_.size(); ++i) AddPart(i);
    if (when_ == Instantiation::kAtStart) AddStart();
    for (const LinkPart& part : parts_) AddDigest(part);
    whole_->digest_ = part_digests_.Add(static_cast<uint64_t>(when_)).Finish();
    whole_->binary_ = EncodeBundle(parts_);
    return std::shared_ptr<const Module>(std::move(whole_));
  }

 private:
  void AddDigest(const LinkPart& part) {
    part_digests_.Add(part.name).Add(ByteView(part.module->digest().bytes));
    for (const auto& [name, from] : UsedImports(part)) {
      part_digests_.Add(name).Add(static_cast<uint64_t>(from));
    }
  }

  void AddPart(size_t index) {
    const Module& module = *parts_[index].module;
    const IndexMaps& maps = spaces_.at(index).maps;
    AddBodies(module, maps);
    for (size_t i = 0; i < module.globals.size(); ++i) {
      if (module.globals[i].imported) continue;
      whole_->globals[maps.globals[i]].init =
          effects_.Resolved(module, module.globals[i].init, maps);
    }
    Describe(index);
    for (const Export& item : module.exports) AddExport(item, maps, index);
    AddInstantiation(index);
  }

  void AddBodies(const Module& module, const IndexMaps& maps) {
    for (size_t i = 0; i < module.bodies.size(); ++i) {
      Body& body = whole_->bodies[maps.functions[module.imported_functions + i]];
      body = module.bodies[i];
      for (Instruction& instruction : body.instructions) {
        instruction = Translated(instruction, maps);
      }
    }
  }

  void AddExport(const Export& item, const IndexMaps& maps, size_t part) {
    Export out = item;
    out.instance = static_cast<uint32_t>(part);
    switch (item.kind) {
      case ExternKind::kFunction: out.index = maps.functions[item.index]; break;
      case ExternKind::kTable: out.index = maps.tables[item.index]; break;
      case ExternKind::kMemory: out.index = maps.memories[item.index]; break;
      case ExternKind::kGlobal: out.index = maps.globals[item.index]; break;
      default: return;
    }
    whole_->exports.push_back(std::move(out));
  }

  void Describe(size_t index) {
    const Module& module = *parts_[index].module;
    LinkedInstance& instance = whole_->instances.emplace_back();
    instance.name = parts_[index].name;
    instance.digest = module.digest();
    instance.is_bound = parts_[index].is_bound;
    instance.functions = static_cast<uint32_t>(module.bodies.size());
    instance.imported_functions = module.imported_functions;
    if (instance.functions == 0) return;
    instance.first_function = spaces_.at(index).maps.functions[module.imported_functions];
  }

  void AddInstantiation(size_t index) {
    Body body = effects_.Apply(*parts_[index].module, spaces_.at(index));
    if (when_ == Instantiation::kAtStart && body.instructions.empty()) return;
    const uint32_t function = AddFunction(std::move(body));
    whole_->instances.back().instantiate = function;
    if (when_ == Instantiation::kAtStart) {
      start_.instructions.push_back({Opcode::kCall, 0, 0, function});
    } else {
      whole_->exports.push_back({std::string(kInstantiateExport), ExternKind::kFunction, function,
                                 static_cast<uint32_t>(index)});
    }
  }

  void AddStart() {
    if (start_.instructions.empty()) return;
    whole_->start = AddFunction(std::move(start_));
  }

  uint32_t AddFunction(Body body) {
    if (!no_values_) {
      no_values_ = static_cast<uint32_t>(whole_->types.size());
      whole_->types.emplace_back();
    }
    // LinkedInstance::instantiate says 0 for none, so function 0 does nothing.
    if (whole_->functions.empty()) AppendFunction({});
    body.instantiation = true;
    return AppendFunction(std::move(body));
  }

  uint32_t AppendFunction(Body body) {
    whole_->functions.push_back({*no_values_, false});
    whole_->bodies.push_back(std::move(body));
    return static_cast<uint32_t>(whole_->functions.size() - 1);
  }

  const std::vector<LinkPart>& parts_;
  const Instantiation when_;
  std::shared_ptr<Module> whole_ = std::make_shared<Module>();
  IndexSpaces spaces_;
  InstantiationEffects effects_;
  std::optional<uint32_t> no_values_;  // the type () -> ()
  Body start_;
  DigestBuilder part_digests_;
};

Result<std::shared_ptr<const Module>> Link(const std::vector<LinkPart>& parts, const Imports& host,
                                           Instantiation instantiation) {
  if (parts.empty()) return Status(Reason::kInvalidArgument, "There is no module to link.");
  return Linker(parts, host, instantiation).Run();
}

std::vector<LinkPart> PartsByName(
    const std::vector<std::pair<std::string, std::shared_ptr<const Module>>>& modules) {
  std::vector<LinkPart> parts;
  std::map<std::string, uint32_t> earlier;
  for (const auto& [name, module] : modules) {
    parts.push_back({name, module, earlier});
    earlier[name] = static_cast<uint32_t>(parts.size() - 1);
  }
  return parts;
}

}  // namespace wb
