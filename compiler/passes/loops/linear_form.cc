#include "compiler/passes/loops/linear_form.h"

#include <algorithm>
#include <bit>

namespace wb {
namespace {

uint32_t LowZeros(uint64_t value) {
  return value == 0 ? 32u : std::min(32u, static_cast<uint32_t>(std::countr_zero(value)));
}

bool Usable(const LinearForm& form) {
  return form.value.terms.size() <= LinearForm::kMostTerms &&
         form.per_round <= LinearForm::kMostPerRound &&
         form.per_round >= -LinearForm::kMostPerRound && form.rest <= LinearForm::kMostRest;
}

}  // namespace

LinearForm LinearForm::Constant(uint32_t value) {
  LinearForm form;
  form.known = true;
  form.value.constant = value;
  return form;
}

LinearForm LinearForm::Entry(uint32_t var) {
  LinearForm form = Constant(0);
  form.value.terms = {{var, 1}};
  return form;
}

LinearForm LinearForm::Of(const KnownBits& bits) {
  if (!bits.has_value()) return Unknown();
  if (bits.is_constant()) return Constant(bits.ones);
  if (bits.most() > kMostRest) return Unknown();
  LinearForm form = Constant(0);
  form.rest = bits.most();
  form.rest_zeros = bits.low_zeros();
  return form;
}

LinearForm Plus(const LinearForm& a, const LinearForm& b) {
  if (!a.known || !b.known) return LinearForm::Unknown();
  LinearForm sum = a;
  sum.value.constant += b.value.constant;
  sum.per_round += b.per_round;
  sum.rest += b.rest;
  sum.rest_zeros = std::min(a.rest_zeros, b.rest_zeros);
  std::vector<ir::LoopTerm>& terms = sum.value.terms;
  for (const ir::LoopTerm& term : b.value.terms) {
    const auto at =
        std::lower_bound(terms.begin(), terms.end(), term.var,
                         [](const ir::LoopTerm& x, uint32_t var) { return x.var < var; });
    if (at == terms.end() || at->var != term.var) {
      terms.insert(at, term);
    } else if ((at->times += term.times) == 0) {
      terms.erase(at);
    }
  }
  return Usable(sum) ? sum : LinearForm::Unknown();
}

LinearForm Minus(const LinearForm& a, const LinearForm& b) { return Plus(a, Times(b, ~0u)); }

LinearForm Times(const LinearForm& a, uint32_t factor) {
  const auto by = static_cast<int32_t>(factor);
  // A rest stays above 0, and a multiple of the round's number may not wrap round.
  if (!a.known || (a.rest != 0 && by < 0)) return LinearForm::Unknown();
  if (factor == 0) return LinearForm::Constant(0);
  LinearForm product = a;
  product.value.constant *= factor;
  product.per_round *= by;
  product.rest *= factor;
  product.rest_zeros = std::min(32u, a.rest_zeros + LowZeros(factor));
  for (ir::LoopTerm& term : product.value.terms) term.times *= factor;
  std::erase_if(product.value.terms, [](const ir::LoopTerm& term) { return term.times == 0; });
  return Usable(product) ? product : LinearForm::Unknown();
}

}  // namespace wb
