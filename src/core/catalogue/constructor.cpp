#include "core/catalogue/constructor.h"

namespace dp {

bool Constructor::takes_space() const {
  return arguments_.size() >= 2 && arguments_[0] == "input_domain" &&
         arguments_[1] == "input_metric";
}

const FreeArgument& Constructor::free_argument(const std::string& argument) const {
  for (const FreeArgument& each : free_) {
    if (each.name == argument) return each;
  }
  throw Error(ErrorKind::type, name_ + " cannot be calibrated by its `" + argument + "`.");
}

}  // namespace dp
