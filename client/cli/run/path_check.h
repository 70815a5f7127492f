#pragma once

// Whether the paths that a template gives are fit for files of instances. Pure.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/run/placeholders.h"
#include "compiler/base/status.h"

namespace wb::cli {

// Looks at the items of a run part by part. It keeps 16 bytes for each item, but none where the
// template's paths differ always.
class PathCheck {
 public:
  // `flag` names the template in errors.
  PathCheck(Template paths, std::string flag);

  // Whether the paths of these items differ from one another and from those of the parts before,
  // and none leaves its folder by a ".." that an item brought in. INVALID_ARGUMENT.
  Status Add(const ItemList& items);

 private:
  using Mark = std::array<uint64_t, 2>;  // of a path: a part of its digest
  struct Marked {
    Mark mark;
    uint64_t place;
  };

  static Mark MarkOf(const std::string& path);
  Status CheckClimbs(const ItemList& items) const;
  Status CheckDiffer(const std::vector<Marked>& marks, const ItemList& items) const;
  Status Same(const ItemList& items, uint64_t place, const std::string& other) const;

  Template paths_;
  std::string flag_;
  std::vector<Mark> seen_;  // in their order
};

}  // namespace wb::cli
