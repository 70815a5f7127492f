#pragma once

// Jain's index of fairness: 1 when all have got the same, 1/n when one has got all.

#include <vector>

namespace wb::test {

inline double Jain(const std::vector<double>& got) {
  double sum = 0;
  double squares = 0;
  for (double one : got) {
    sum += one;
    squares += one * one;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(got.size()) * squares);
}

}  // namespace wb::test
