#include "tests/fuzz/batch.h"

#include <algorithm>
#include <utility>

#include "tests/compiler/wasm/assemble.h"
#include "tests/fuzz/companions.h"
#include "tests/fuzz/sections.h"

namespace wb::fuzz {
namespace {

constexpr const char* kWorld = "world";

class BatchMaker {
 public:
  explicit BatchMaker(Batch* batch) : batch_(*batch) {}

  Status Run() {
    WB_TRY(AddWorld());
    for (size_t i = 0; i < batch_.subjects.size(); ++i) {
      batch_.places.emplace_back();
      WB_TRY(AddSubject(i));
    }
    WB_ASSIGN(batch_.linked, Link(batch_.parts, {}, Instantiation::kBySteps));
    return {};
  }

 private:
  using Froms = std::map<std::string, uint32_t>;

  Result<uint32_t> Add(std::string name, ByteView wasm, Froms imports_from) {
    WB_ASSIGN(auto module, Module::Decode(wasm));
    batch_.parts.push_back({std::move(name), std::move(module), std::move(imports_from)});
    return static_cast<uint32_t>(batch_.parts.size() - 1);
  }

  // A memory as large as the largest that a subject declares; it may grow by two pages more.
  Status AddWorld() {
    uint32_t pages = 1;
    for (const Subject& subject : batch_.subjects) {
      WB_ASSIGN(const auto module, Module::Decode(subject.wasm));
      for (const Memory& memory : module->memories) pages = std::max(pages, memory.limits.min);
    }
    pages = std::min(pages, kMaxPages - 2);
    WB_ASSIGN(const Bytes wasm, test::Assemble(WorldText(pages, pages + 2)));
    return Add(kWorld, wasm, {}).status();
  }

  bool TakesWorlds(const Module& module) const {
    if (module.memories.size() != 1 || module.memories[0].imported) return false;
    return batch_.variant.shared_memory ||
           module.memories[0].limits.max.value_or(65536) > kMaxPages;
  }

  Status AddSubject(size_t index) {
    Placed& place = batch_.places[index];
    const Subject& subject = batch_.subjects[index];
    const std::string number = std::to_string(index);
    Bytes wasm = subject.wasm;
    Froms froms;
    WB_ASSIGN(auto module, Module::Decode(wasm));
    const bool worlds = TakesWorlds(*module);
    if (worlds) {
      wasm = WithMemoryImported(wasm, kWorld, std::string(kMemoryExport));
      WB_ASSIGN(module, Module::Decode(wasm));
      place.parts.push_back(0);
      froms[kWorld] = 0;
    }
    WB_TRY(AddSupport(*module, number, &place, &froms));
    WB_ASSIGN(place.subject, Add("subject" + number, wasm, froms));
    place.parts.push_back(place.subject);
    WB_TRY(AddObserver(*module, number, &place));
    if (worlds) place.looks.push_back({0, std::string(kDigestExport)});
    return {};
  }

  Status AddSupport(const Module& module, const std::string& number, Placed* place, Froms* froms) {
    WB_ASSIGN(const std::string text, SupportText(module));
    if (text.empty()) return {};
    WB_ASSIGN(const Bytes wasm, test::Assemble(text));
    WB_ASSIGN(const uint32_t part, Add("support" + number, wasm, {}));
    place->parts.push_back(part);
    place->looks.push_back({part, std::string(kSeenExport)});
    for (const Import& import : module.imports) {
      if (import.kind == ExternKind::kFunction) (*froms)[import.module] = part;
    }
    return {};
  }

  Status AddObserver(const Module& module, const std::string& number, Placed* place) {
    const Observer observer = ObserverOf(module);
    if (observer.text.empty()) return {};
    WB_ASSIGN(const Bytes wasm, test::Assemble(observer.text));
    WB_ASSIGN(const uint32_t part, Add("observer" + number, wasm, {{"subject", place->subject}}));
    place->parts.push_back(part);
    if (observer.globals) place->looks.push_back({part, std::string(kGlobalsExport)});
    for (size_t table : observer.tables) place->looks.push_back({part, TableExport(table)});
    for (size_t memory : observer.memories) place->looks.push_back({part, DigestExport(memory)});
    return {};
  }

  Batch& batch_;
};

}  // namespace

Variant VariantOf(uint64_t batch_number) {
  static constexpr uint32_t kCopies[] = {12, 2, 0, 1};
  Variant variant;
  variant.number = static_cast<uint32_t>(batch_number % kVariants);
  variant.shared_memory = variant.number % 4 != 3;
  variant.flattening = variant.number % 2 == 0 ? Flattening::kMixed : Flattening::kAlways;
  variant.copies = kCopies[variant.number / 2];
  // Moves on by one more after each round, so that every variant meets every turn.
  variant.turn = batch_number / kVariants + batch_number % kVariants;
  return variant;
}

Result<Batch> MakeBatch(std::vector<Subject> subjects, const Variant& variant) {
  Batch batch;
  batch.subjects = std::move(subjects);
  batch.variant = variant;
  WB_TRY(BatchMaker(&batch).Run());
  return batch;
}

}  // namespace wb::fuzz
