// User-defined functions of releases.
#include "core/catalogue/families.h"

namespace dp {

std::vector<Constructor> function_constructors() {
  return {
      constructor("new_function",
                  {"function_", ".TO"},
                  [](const Arguments& in) -> Made {
                    return Postprocessor{
                        whole_function(in.postprocessor("function_", in.descriptor(".TO"))), ""};
                  })
          .example("function(x) x, 'ExtrinsicObject'")
          .needs(kPromised),
  };
}

}  // namespace dp
