#include "core/catalogue/constructor.h"

namespace dp {

bool Constructor::takes_space() const {
  return arguments_.size() >= 2 && arguments_[0] == "input_domain" &&
         arguments_[1] == "input_metric";
}

}  // namespace dp
