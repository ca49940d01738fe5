// Randomized responses: each value is released separately.
#include "core/catalogue/families.h"
#include "core/measurements/randomized_response.h"
#include "core/measurements/randomized_response_bitvec.h"

namespace dp {
namespace {

Made randomized_response(const Arguments& in) {
  const AtomType type = in.type(".T", "categories");
  return make_randomized_response(in.constants("categories", type), type, in.real("prob"));
}

}  // namespace

std::vector<Constructor> response_constructors() {
  return {
      constructor(
          "make_randomized_response_bool", make_randomized_response_bool, {"prob", "constant_time"})
          .example("prob = 0.75"),
      constructor("make_randomized_response", {"categories", "prob", ".T"}, randomized_response)
          .example("categories = c('A', 'B', 'C'), prob = 0.8"),
      constructor("make_randomized_response_bitvec",
                  make_randomized_response_bitvec,
                  {"input_domain", "input_metric", "f", "constant_time"})
          .example("bitvector_domain(max_weight = 4L, size = 16L), discrete_distance(), f = 0.5"),
  };
}

}  // namespace dp
