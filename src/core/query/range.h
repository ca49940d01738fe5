// A closed interval of numbers.
#pragma once

namespace dp::query {

struct Range {
  double lower;
  double upper;
};

}  // namespace dp::query
