// The laws of noise and their divergences, to more than 200 bits and from the definitions alone.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <functional>

namespace dp::test {

using Wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

// Far above the error of a few thousand operations, far below anything that a double can claim.
inline Wide slack() { return ldexp(Wide(1), -150); }

// P[Z = z], negligible outside of -reach .. reach.
struct Law {
  std::function<Wide(long)> mass;
  long reach;
};

inline Law laplace_law(Wide scale, long reach) {
  const Wide q = exp(-1 / scale);
  return {[=](long z) { return (1 - q) / (1 + q) * pow(q, std::labs(z)); }, reach};
}

inline Law gaussian_law(Wide sigma) {
  const auto weight = [sigma](const Wide& z) { return Wide(exp(-z * z / (2 * sigma * sigma))); };
  const long reach = static_cast<long>(20 * sigma) + 10;
  Wide total = 0;
  for (long z = -reach; z <= reach; ++z) total += weight(z);
  return {[=](long z) { return Wide(weight(z) / total); }, reach};
}

// Between Z and Z + shift, at order alpha > 1: ln(E[(P / Q)^(alpha - 1)]) / (alpha - 1).
// The terms can peak far from both centres (for a Gaussian at (1 - alpha) * shift).
inline Wide renyi_divergence_of(const Law& law, long shift, Wide alpha) {
  const long from = -law.reach - static_cast<long>(alpha * std::labs(shift));
  const long to = -from;
  Wide sum = 0;
  for (long z = from; z <= to; ++z) {
    sum += exp(alpha * log(law.mass(z)) + (1 - alpha) * log(law.mass(z - shift)));
  }
  return log(sum) / (alpha - 1);
}

// max over events S of P[Z in S] - exp(epsilon) P[Z + shift in S].
inline Wide hockey_stick_of(const Law& law, long shift, Wide epsilon) {
  const Wide factor = exp(epsilon);
  Wide sum = 0;
  for (long z = -law.reach - std::labs(shift); z <= law.reach + std::labs(shift); ++z) {
    const Wide gain = law.mass(z) - factor * law.mass(z - shift);
    if (gain > 0) sum += gain;
  }
  return sum;
}

}  // namespace dp::test
