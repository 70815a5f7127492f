#include "client/cli/run/path_check.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <utility>

#include "compiler/base/digest.h"

namespace wb::cli {
namespace {

bool ClimbsOut(const std::string& path) {
  for (size_t at = 0; at <= path.size();) {
    const size_t slash = std::min(path.find('/', at), path.size());
    if (path.compare(at, slash - at, "..") == 0) return true;
    at = slash + 1;
  }
  return false;
}

std::string ItemNamed(const ItemList& items, uint64_t place) {
  return "the item [" + items.texts[place] + "]";
}

}  // namespace

PathCheck::PathCheck(Template paths, std::string flag)
    : paths_(std::move(paths)), flag_(std::move(flag)) {}

PathCheck::Mark PathCheck::MarkOf(const std::string& path) {
  const Digest digest = Sha256(AsBytes(path));
  Mark mark;
  std::memcpy(mark.data(), digest.bytes.data(), sizeof(mark));
  return mark;
}

Status PathCheck::CheckClimbs(const ItemList& items) const {
  if (ClimbsOut(paths_.text())) return {};
  for (uint64_t place = 0; place < items.size(); ++place) {
    const std::string path = paths_.At(items, place);
    if (!ClimbsOut(path)) continue;
    return Status(Reason::kInvalidArgument, flag_ + " gives " + ItemNamed(items, place) +
                                                " the path [" + path + "], which climbs by [..].");
  }
  return {};
}

Status PathCheck::Same(const ItemList& items, uint64_t place, const std::string& other) const {
  return Status(Reason::kInvalidArgument, flag_ + " gives " + ItemNamed(items, place) +
                                              " the path [" + paths_.At(items, place) +
                                              "], which " + other +
                                              " has. {#} makes paths differ.");
}

Status PathCheck::CheckDiffer(const std::vector<Marked>& marks, const ItemList& items) const {
  auto before = seen_.begin();
  for (size_t i = 0; i < marks.size(); ++i) {
    if (i > 0 && marks[i].mark == marks[i - 1].mark) {
      return Same(items, marks[i].place, ItemNamed(items, marks[i - 1].place));
    }
    before = std::lower_bound(before, seen_.end(), marks[i].mark);
    if (before != seen_.end() && *before == marks[i].mark) {
      return Same(items, marks[i].place, "an item before");
    }
  }
  return {};
}

Status PathCheck::Add(const ItemList& items) {
  WB_TRY(CheckClimbs(items));
  if (paths_.DiffersAlways(items)) return {};
  std::vector<Marked> marks;
  marks.reserve(items.size());
  for (uint64_t place = 0; place < items.size(); ++place) {
    marks.push_back({MarkOf(paths_.At(items, place)), place});
  }
  std::sort(marks.begin(), marks.end(), [](const Marked& a, const Marked& b) {
    return std::tie(a.mark, a.place) < std::tie(b.mark, b.place);
  });
  WB_TRY(CheckDiffer(marks, items));
  const auto middle = static_cast<std::ptrdiff_t>(seen_.size());
  for (const Marked& marked : marks) seen_.push_back(marked.mark);
  std::inplace_merge(seen_.begin(), seen_.begin() + middle, seen_.end());
  return {};
}

}  // namespace wb::cli
