#include "core/accounting/counting_query_map.h"

#include <algorithm>
#include <cmath>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

struct PartitionDistance {
  std::uint32_t l0;
  std::uint32_t l1;
  std::uint32_t linf;
};

PartitionDistance partition_distance(const Distance& distance) {
  const auto* parts = distance.as<Distance::Tuple>();
  if (parts == nullptr || parts->size() != 3) {
    throw Error(ErrorKind::failed_cast, "d_in must be a triple (l0, l1, linf).");
  }
  return {number_in<std::uint32_t>((*parts)[0]),
          number_in<std::uint32_t>((*parts)[1]),
          number_in<std::uint32_t>((*parts)[2])};
}

double published_norm(const PartitionDistance& d, std::uint32_t p) {
  const double groups = p == 1 ? double(d.l0) : sqrt_up(d.l0);
  return std::min(double(d.l1), mul_up(groups, double(d.linf)));
}

// The least double whose square is at least n.
double root_up(const Integer& n) {
  const double root = sqrt_up(to_double_up(n));
  const double below = std::nextafter(root, 0);
  const Rational exact = exact_rational(below);
  return exact * exact >= n ? below : root;
}

double packed_norm(const PartitionDistance& d, std::uint32_t p) {
  if (d.l0 == 0 || d.l1 == 0 || d.linf == 0) return 0;
  if (p == 1) return to_double_up(std::min(Integer(d.l1), Integer(d.l0) * d.linf));
  const std::uint32_t full = std::min(d.l0, d.l1 / d.linf);
  const std::uint32_t rest = full < d.l0 ? std::min(d.l1 - full * d.linf, d.linf) : 0;
  return root_up(Integer(full) * d.linf * d.linf + Integer(rest) * rest);
}

}  // namespace

PublicInfo parse_public_info(const std::string& text) {
  if (text == "Keys") return PublicInfo::keys;
  if (text == "Lengths") return PublicInfo::lengths;
  throw Error(ErrorKind::failed_cast, "public_info must be NULL, \"Keys\" or \"Lengths\".");
}

StabilityMap counting_query_stability_map(PublicInfo public_info,
                                          std::uint32_t p,
                                          CountedRows counted,
                                          PartitionNorm norm) {
  return [=](const Distance& d_in) -> Distance {
    PartitionDistance d = partition_distance(d_in);
    const bool lengths = public_info == PublicInfo::lengths;
    if (lengths && counted == CountedRows::all) return Scalar(0.0);
    if (p != 1 && p != 2) {
      throw Error(ErrorKind::make_transformation,
                  "counts are measured in the L1 and the L2 distance only");
    }
    if (norm == PartitionNorm::published) return Scalar(published_norm(d, p));
    if (lengths) d = {d.l0, d.l1 / 2, d.linf / 2};
    return Scalar(packed_norm(d, p));
  };
}

}  // namespace dp
