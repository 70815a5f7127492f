#include "compiler/passes/loops/address_streams.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

using ir::AddressStream;
using ir::Inst;
using ir::LoopAccess;
using ir::Op;

constexpr uint64_t kMostOffset = uint64_t{1} << 28;
constexpr uint32_t kTileBytes = abi::TILE_WORDS * 4;

// Scalars of 4 or 8 bytes.
bool IsWords(const ir::Function& function, const Inst& inst) {
  const uint32_t bytes = FactsOf(inst.opcode).bytes;
  const ir::Var value = inst.op == Op::kLoad ? inst.dst : inst.b;
  return (bytes == 4 || bytes == 8) && function.vars[value] != ValueType::kV128;
}

struct Member {
  uint32_t at = 0;
  int64_t from = 0;  // the address, from the first member's
  LinearForm address;
};

// Members of one stream: same terms, same step.
class StreamBuilder {
 public:
  explicit StreamBuilder(const LoopRows& rows) : rows_(rows) {}

  bool Takes(const LinearForm& address) const {
    const LinearForm& first = members_.front().address;
    return first.value.terms == address.value.terms && first.per_round == address.per_round &&
           (first.rest == 0) == (address.rest == 0) && Within(From(address));
  }
  void Add(uint32_t row, const LinearForm& address) {
    members_.push_back({row, members_.empty() ? 0 : From(address), address});
  }

  // Appends the stream and its accesses.
  void Build(ir::CountedLoop& loop) const {
    const auto lowest =
        std::min_element(members_.begin(), members_.end(),
                         [](const Member& a, const Member& b) { return a.from < b.from; });
    AddressStream stream;
    stream.least = lowest->address.value;
    stream.first = ~uint64_t{0};
    stream.per_round = lowest->address.per_round;
    for (const Member& member : members_) {
      loop.accesses.push_back(AccessOf(member, member.from - lowest->from, stream));
      loop.accesses.back().stream = static_cast<uint32_t>(loop.streams.size());
    }
    stream.at_tile = (1u << std::min(rows_.LowZeros(stream.least), 31u)) % kTileBytes == 0 &&
                     stream.per_round >= 0;  // else texts begin with the last round
    loop.streams.push_back(stream);
  }

 private:
  static bool Within(int64_t from) {
    return from < static_cast<int64_t>(kMostOffset) && from > -static_cast<int64_t>(kMostOffset);
  }
  int64_t From(const LinearForm& address) const {
    return static_cast<int32_t>(address.value.constant - members_.front().address.value.constant);
  }

  LoopAccess AccessOf(const Member& member, int64_t from, AddressStream& stream) const {
    const Inst& inst = rows_.inst(member.at);
    const uint32_t bytes = FactsOf(inst.opcode).bytes;
    const uint32_t align = std::min<uint32_t>(bytes, 4);
    LoopAccess access;
    access.at = member.at;
    access.offset = static_cast<uint64_t>(from) + inst.imm;
    access.aligned = align > 1 && from % align == 0 && inst.imm % align == 0 &&
                     member.address.per_round % align == 0 &&
                     (1u << std::min(member.address.rest_zeros, 2u)) % align == 0;
    access.by_words = access.aligned && member.address.rest == 0 && IsWords(rows_.function(), inst);
    stream.first = std::min(stream.first, access.offset);
    stream.bytes = std::max(stream.bytes, access.offset + member.address.rest + bytes);
    if (access.aligned) stream.align = std::max(stream.align, align);
    stream.by_words = stream.by_words || access.by_words;
    stream.stores = stream.stores || inst.op == Op::kStore;
    return access;
  }

  const LoopRows& rows_;
  std::vector<Member> members_;
};

// How a word of a stream that stays in place is used.
struct WordUse {
  bool by_words = false;
  bool otherwise = false;
  bool stored = false;
  bool joins_next = false;  // some access by words has this one and the next
  // How many accesses begin here with a value of 4 or of 8 bytes, how many of these are floats, and
  // how many end here that begin in the word before.
  uint32_t singles = 0, pairs = 0, floats = 0, seconds = 0;
};
using WordUses = std::map<uint32_t, WordUse>;

// Words of the accesses of one stream. A word that is not aligned, or part of a smaller access, is
// used otherwise, and so are all words of a longer access to one that is.
WordUses UsesOf(const LoopRows& rows, const ir::CountedLoop& loop, uint32_t stream) {
  WordUses uses;
  for (const LoopAccess& access : loop.accesses) {
    if (access.stream != stream) continue;
    const Inst& inst = rows.inst(access.at);
    const uint64_t last = access.offset + FactsOf(inst.opcode).bytes - 1;
    for (uint64_t word = access.offset / 4; word <= last / 4; ++word) {
      WordUse& use = uses[static_cast<uint32_t>(word)];
      use.by_words = use.by_words || access.by_words;
      use.otherwise = use.otherwise || !access.by_words;
      use.stored = use.stored || inst.op == Op::kStore;
      use.joins_next = use.joins_next || (access.by_words && word < last / 4);
      if (word != access.offset / 4) ++use.seconds;
    }
    WordUse& first = uses[static_cast<uint32_t>(access.offset / 4)];
    ++(FactsOf(inst.opcode).bytes == 8 ? first.pairs : first.singles);
    if (IsFloat(rows.function().vars[inst.op == Op::kLoad ? inst.dst : inst.b])) ++first.floats;
  }
  // What is used otherwise is passed on from word to word, upwards and then downwards.
  for (auto low = uses.begin(); low != uses.end(); ++low) {
    if (low->second.joins_next && low->second.otherwise) std::next(low)->second.otherwise = true;
  }
  for (auto high = uses.rbegin(); high != uses.rend(); ++high) {
    const auto low = std::next(high);
    if (low == uses.rend() || !low->second.joins_next) continue;
    low->second.otherwise = low->second.otherwise || high->second.otherwise;
  }
  return uses;
}

// Two words are one variable if every access to either has both.
ValueType TypeOf(const WordUses& uses, WordUses::const_iterator at) {
  const WordUse& use = at->second;
  const auto next = uses.find(at->first + 1);
  if (use.pairs != 0 && use.singles == 0 && use.seconds == 0 && next->second.singles == 0 &&
      next->second.pairs == 0) {
    return use.floats == use.pairs ? ValueType::kF64 : ValueType::kI64;
  }
  const bool is_single = use.pairs == 0 && use.seconds == 0;
  return is_single && use.floats == use.singles ? ValueType::kF32 : ValueType::kI32;
}

class SlotFinder {
 public:
  SlotFinder(const LoopRows& rows, ir::CountedLoop& loop) : rows_(rows), loop_(loop) {}

  void Run() {
    if (!EveryAccessIsKnown()) return;
    for (uint32_t i = 0; i < loop_.streams.size(); ++i) Collect(i);
    const bool is_long = rows_.is_trace() || rows_.is_once();
    if (Words() > (is_long ? kMostSlotsOfTrace : kMostSlots) || !FindPairs()) {
      loop_.slots.clear();
      loop_.apart.clear();
    }
    for (LoopAccess& access : loop_.accesses) access.in_slot = SlotOf(access) != nullptr;
    FindAnyNan();
  }

 private:
  // ... and some of them write: else compilers keep words in registers by themselves.
  bool EveryAccessIsKnown() const {
    size_t accesses = 0;
    bool stores = false;
    for (uint32_t row = rows_.first(); row < rows_.end(); ++row) {
      if (!IsAccess(rows_.inst(row))) continue;
      ++accesses;
      stores = stores || rows_.inst(row).op == Op::kStore;
    }
    return stores && accesses == loop_.accesses.size();
  }

  void Collect(uint32_t index) {
    const AddressStream& stream = loop_.streams[index];
    if (stream.per_round != 0 || !stream.by_words) return;
    std::vector<ir::LoopSlot> slots;
    const WordUses uses = UsesOf(rows_, loop_, index);
    for (auto at = uses.begin(); at != uses.end(); ++at) {
      if (at->second.otherwise) continue;
      slots.push_back({index, at->first, at->second.stored, TypeOf(uses, at)});
      if (slots.back().words() == 2) ++at;
    }
    if (slots.empty() || MeetsAnother(index, slots)) return;
    loop_.slots.insert(loop_.slots.end(), slots.begin(), slots.end());
  }

  // The distance is known, and another stream certainly comes to these words.
  bool MeetsAnother(uint32_t index, const std::vector<ir::LoopSlot>& slots) const {
    for (uint32_t i = 0; i < loop_.streams.size(); ++i) {
      const auto distance = i == index ? std::nullopt : Distance(index, i);
      if (!distance) continue;
      const AddressStream& other = loop_.streams[i];
      const int64_t way = other.per_round * (static_cast<int64_t>(std::max(loop_.rounds, 1u)) - 1);
      const int64_t low = *distance + std::min<int64_t>(way, 0) + static_cast<int64_t>(other.first);
      const int64_t high =
          *distance + std::max<int64_t>(way, 0) + static_cast<int64_t>(other.bytes);
      if (low < 4 * (int64_t{slots.back().word} + slots.back().words()) &&
          high > 4 * int64_t{slots.front().word}) {
        return true;
      }
    }
    return false;
  }

  // From one stream's lowest address to another's, where both have the same terms but for variables
  // that begin with known values.
  std::optional<int64_t> Distance(uint32_t from, uint32_t to) const {
    LinearForm a = LinearForm::Constant(0), b = a;
    a.value = loop_.streams[from].least;
    b.value = loop_.streams[to].least;
    LinearForm way = Minus(b, a);
    if (!way.known) return std::nullopt;
    uint32_t distance = way.value.constant;
    for (const ir::LoopTerm& term : way.value.terms) {
      const auto start = std::find_if(loop_.starts.begin(), loop_.starts.end(),
                                      [&](const ir::KnownStart& s) { return s.var == term.var; });
      if (start == loop_.starts.end()) return std::nullopt;
      distance += start->value * term.times;
    }
    return static_cast<int32_t>(distance);
  }

  bool HasSlots(uint32_t stream) const {
    return std::any_of(loop_.slots.begin(), loop_.slots.end(),
                       [&](const ir::LoopSlot& slot) { return slot.stream == stream; });
  }
  bool StoresSlots(uint32_t stream) const {
    return std::any_of(loop_.slots.begin(), loop_.slots.end(), [&](const ir::LoopSlot& slot) {
      return slot.stream == stream && slot.stored;
    });
  }

  // False: there are too many.
  bool FindPairs() {
    for (uint32_t i = 0; i < loop_.streams.size(); ++i) {
      if (!HasSlots(i)) continue;
      for (uint32_t j = 0; j < loop_.streams.size(); ++j) {
        // Two streams with slots are two pairs: each has accesses beside its slots.
        if (j == i) continue;
        if (loop_.streams[j].stores || StoresSlots(i)) loop_.apart.push_back({i, j});
      }
    }
    return loop_.apart.size() <= kMostPairs;
  }

  size_t Words() const {
    size_t words = 0;
    for (const ir::LoopSlot& slot : loop_.slots) words += slot.words();
    return words;
  }

  ir::LoopSlot* SlotOf(const LoopAccess& access) const {
    if (!access.by_words) return nullptr;
    const auto at =
        std::find_if(loop_.slots.begin(), loop_.slots.end(), [&](const ir::LoopSlot& slot) {
          return slot.stream == access.stream && slot.word == access.offset / 4;
        });
    return at == loop_.slots.end() ? nullptr : &*at;
  }

  // The first row that may go elsewhere, or have rows behind it passed by.
  uint32_t EndOfSureRows() const {
    uint32_t at = rows_.first();
    for (; at < rows_.end(); ++at) {
      const Inst& inst = rows_.inst(at);
      const bool stays = inst.op == Op::kSafepoint || inst.op == Op::kBlock ||
                         inst.op == Op::kConst || inst.op == Op::kCopy || inst.op == Op::kSelect ||
                         inst.op == Op::kCanon || inst.op == Op::kPay || IsAccess(inst) ||
                         (inst.op == Op::kNumeric && FactsOf(inst.opcode).check.empty());
      if (!stays) break;
    }
    return at;
  }

  // Floats that are stored before anything leaves the first round, in each case right behind the
  // row that made them canonical.
  void FindAnyNan() {
    const uint32_t end = EndOfSureRows();
    for (const LoopAccess& access : loop_.accesses) {
      if (!access.in_slot || access.at >= end) continue;
      ir::LoopSlot& slot = *SlotOf(access);
      if (rows_.inst(access.at).op == Op::kStore) slot.any_nan = IsFloat(slot.type);
    }
    for (const LoopAccess& access : loop_.accesses) {
      if (access.in_slot && !TakesAnyNan(access.at)) SlotOf(access)->any_nan = false;
    }
  }
  bool TakesAnyNan(uint32_t at) const {
    const Inst& inst = rows_.inst(at);
    if (inst.op == Op::kLoad) return rows_.function().unseen[inst.dst];
    const Inst& before = rows_.inst(at - 1);
    return before.op == Op::kCanon && before.dst == inst.b;
  }

  const LoopRows& rows_;
  ir::CountedLoop& loop_;
};

}  // namespace

bool FindStreams(const LoopRows& rows, ir::CountedLoop& loop) {
  std::vector<StreamBuilder> builders;
  for (uint32_t row = rows.first(); row < rows.end(); ++row) {
    if (!IsAccess(rows.inst(row))) continue;
    const LinearForm& address = rows.a(row);
    if (!address.known || rows.inst(row).imm > kMostOffset) continue;
    auto at = std::find_if(builders.begin(), builders.end(),
                           [&](const StreamBuilder& builder) { return builder.Takes(address); });
    if (at == builders.end()) {
      if (builders.size() == kMostStreams && rows.is_once()) continue;
      if (builders.size() == kMostStreams) return false;
      builders.emplace_back(rows);
      at = builders.end() - 1;
    }
    at->Add(row, address);
  }
  for (const StreamBuilder& builder : builders) builder.Build(loop);
  std::sort(loop.accesses.begin(), loop.accesses.end(),
            [](const LoopAccess& a, const LoopAccess& b) { return a.at < b.at; });
  return true;
}

void FindSlots(const LoopRows& rows, ir::CountedLoop& loop) { SlotFinder(rows, loop).Run(); }

}  // namespace wb
