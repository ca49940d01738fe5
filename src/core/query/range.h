// What lies between two numbers, both of which belong to it.
#pragma once

namespace dp::query {

struct Range {
  double lower;
  double upper;
};

}  // namespace dp::query
