#include "core/postprocessing/snap.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/postprocessing/numbers.h"

namespace dp {
namespace {

struct Grid {
  double width;
  double lowest;
  double highest;

  double nearest(double x) const {
    return width * std::clamp(std::floor(x / width + 0.5), lowest, highest);
  }
};

bool is_whole(double x) { return std::floor(x) == x; }  // or infinite

std::vector<Grid> grids_of(const std::vector<double>& width,
                           const std::vector<double>& lowest,
                           const std::vector<double>& highest) {
  if (width.empty() || lowest.size() != width.size() || highest.size() != width.size()) {
    throw Error(ErrorKind::make_transformation, "each grid needs a width, and both ends.");
  }
  std::vector<Grid> grids;
  for (std::size_t i = 0; i < width.size(); ++i) {
    if (!(width[i] > 0) || std::isinf(width[i])) {
      throw Error(ErrorKind::make_transformation, "width must be positive and finite.");
    }
    if (!is_whole(lowest[i]) || !is_whole(highest[i]) || lowest[i] > highest[i]) {
      throw Error(ErrorKind::make_transformation, "ends must be whole numbers in order.");
    }
    grids.push_back({width[i], lowest[i], highest[i]});
  }
  return grids;
}

}  // namespace

Function snap(const std::vector<double>& width,
              const std::vector<double>& lowest,
              const std::vector<double>& highest) {
  return whole_function([grids = grids_of(width, lowest, highest)](const Value& release) -> Value {
    if (release.as<Scalar>() != nullptr) {
      return Scalar(grids[0].nearest(element_in<double>(release)));
    }
    std::vector<double> numbers = numbers_in<double>(release, AtomType::f64);
    if (numbers.size() < grids.size()) {
      throw Error(ErrorKind::failed_function, "there are more grids than numbers.");
    }
    const std::size_t count = grids.size() == 1 ? numbers.size() : grids.size();
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = grids[grids.size() == 1 ? 0 : i].nearest(numbers[i]);
    }
    return make_column(AtomType::f64, numbers);
  });
}

}  // namespace dp
