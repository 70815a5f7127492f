#include "daemon/database/packed_numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace wb {
namespace {

static_assert(std::endian::native == std::endian::little, "the little end of each number is first");

template <typename Stored, typename Number>
void PutAs(std::span<const Number> numbers, Number least, ByteWriter* out) {
  std::vector<Stored> stored(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) stored[i] = static_cast<Stored>(numbers[i] - least);
  const auto* bytes = reinterpret_cast<const uint8_t*>(stored.data());
  out->Raw({bytes, stored.size() * sizeof(Stored)});
}

template <typename Number>
void Put(std::span<const Number> numbers, ByteWriter* out) {
  if (numbers.empty()) return;
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const uint64_t spread = *most - *least;
  out->Number(*least);
  if (spread == 0) return out->Byte(0);
  if (spread <= std::numeric_limits<uint8_t>::max()) {
    out->Byte(1);
    PutAs<uint8_t>(numbers, *least, out);
  } else if (spread <= std::numeric_limits<uint16_t>::max()) {
    out->Byte(2);
    PutAs<uint16_t>(numbers, *least, out);
  } else if (spread <= std::numeric_limits<uint32_t>::max()) {
    out->Byte(4);
    PutAs<uint32_t>(numbers, *least, out);
  } else {
    out->Byte(8);
    PutAs<uint64_t>(numbers, *least, out);
  }
}

template <typename Stored, typename Number>
void GetAs(ByteView bytes, uint64_t least, std::vector<Number>* numbers) {
  for (size_t i = 0; i < numbers->size(); ++i) {
    Stored stored = 0;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    (*numbers)[i] = static_cast<Number>(least + stored);
  }
}

template <typename Number>
std::vector<Number> Get(size_t count, ByteReader* in) {
  if (count == 0) return {};
  const uint64_t least = in->Number();
  const uint8_t width = in->Byte();
  const bool is_width = width == 0 || (width <= sizeof(Number) && std::has_single_bit(width));
  if (!is_width || least > std::numeric_limits<Number>::max()) in->Fail();
  const ByteView bytes = in->Raw(count * width);
  if (!in->ok()) return {};
  std::vector<Number> numbers(count);
  switch (width) {
    case 0: std::fill(numbers.begin(), numbers.end(), static_cast<Number>(least)); break;
    case 1: GetAs<uint8_t>(bytes, least, &numbers); break;
    case 2: GetAs<uint16_t>(bytes, least, &numbers); break;
    case 4: GetAs<uint32_t>(bytes, least, &numbers); break;
    default: GetAs<uint64_t>(bytes, least, &numbers); break;
  }
  return numbers;
}

}  // namespace

void PutPacked(std::span<const uint64_t> numbers, ByteWriter* out) { Put(numbers, out); }
void PutPacked(std::span<const uint32_t> numbers, ByteWriter* out) { Put(numbers, out); }

std::vector<uint64_t> GetPacked64(size_t count, ByteReader* in) { return Get<uint64_t>(count, in); }
std::vector<uint32_t> GetPacked32(size_t count, ByteReader* in) { return Get<uint32_t>(count, in); }

}  // namespace wb
