#include "core/combinators/promise.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace dp {
namespace {

bool is_negative(const Scalar& number) {
  return std::visit(
      [](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
          return false;
        } else {
          return value < T{0};
        }
      },
      number);
}

bool is_negative(const Distance& distance) {
  if (const auto* number = distance.as<Scalar>()) return is_negative(*number);
  const auto* parts = distance.as<Distance::Tuple>();
  return parts != nullptr && std::any_of(parts->begin(), parts->end(), [](const Distance& part) {
           return is_negative(part);
         });
}

}  // namespace

PrivacyMap promise(const Distance& d_in, const Distance& loss, const std::string& refusal) {
  return [=](const Distance& asked) {
    if (is_negative(asked)) throw Error(ErrorKind::failed_map, "d_in must be non-negative");
    if (!at_most(asked, d_in)) throw Error(ErrorKind::relation_debug, refusal);
    return loss;
  };
}

}  // namespace dp
