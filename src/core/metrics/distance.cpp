#include "core/metrics/distance.h"

#include <cstddef>

namespace dp {
namespace {

enum class Order { less, equal, greater };

[[noreturn]] void refuse(const Distance& a, const Distance& b) {
  throw Error(ErrorKind::failed_function,
              "unknown ordering between " + debug(a) + " and " + debug(b));
}

Order compare(const Distance& a, const Distance& b);

Order compare(const Scalar& a, const Scalar& b) {
  if (a.index() != b.index() || is_nan(a) || is_nan(b)) refuse(a, b);
  if (a < b) return Order::less;
  return a == b ? Order::equal : Order::greater;
}

Order compare(const Distance::Tuple& a, const Distance::Tuple& b) {
  if (a.size() != b.size()) refuse(a, b);
  Order overall = Order::equal;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Order part = compare(a[i], b[i]);
    if (part == Order::equal || part == overall) continue;
    if (overall != Order::equal) refuse(a, b);
    overall = part;
  }
  return overall;
}

Order compare(const Distance& a, const Distance& b) {
  if (a.as<Scalar>() && b.as<Scalar>()) return compare(*a.as<Scalar>(), *b.as<Scalar>());
  if (a.as<Distance::Tuple>() && b.as<Distance::Tuple>()) {
    return compare(*a.as<Distance::Tuple>(), *b.as<Distance::Tuple>());
  }
  refuse(a, b);
}

}  // namespace

bool at_most(const Distance& a, const Distance& b) { return compare(a, b) != Order::greater; }

std::string debug(const Distance& distance) {
  if (const auto* scalar = distance.as<Scalar>()) return debug(*scalar);
  if (const auto* tuple = distance.as<Distance::Tuple>()) {
    std::string out;
    for (const Distance& part : *tuple) out += (out.empty() ? "(" : ", ") + debug(part);
    return out + ")";
  }
  if (distance.as<std::shared_ptr<const PrivacyProfile>>()) return "PrivacyProfile";
  return distance.as<Distance::Curve>() ? "RenyiCurve" : "ExtrinsicObject";
}

}  // namespace dp
