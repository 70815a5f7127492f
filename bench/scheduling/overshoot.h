#pragma once

// How late bursts end on this machine's CPU device, where nothing but the slice controller aims
// them.

#include <string>
#include <vector>

namespace wb::bench {

struct Overshoots {
  std::string job;
  std::vector<double> shares;  // of a burst, ascending; below 0: it ended early
  double Quantile(double q) const;
};

// Half a second each: instances of equal length, of ragged lengths, and ones that turn from adding
// to dividing and back.
std::vector<Overshoots> MeasureOvershoots(int bursts);

}  // namespace wb::bench
