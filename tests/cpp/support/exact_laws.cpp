#include "support/exact_laws.h"

#include <cstdlib>

namespace dp::test {

Law laplace_law(Wide scale, long reach) {
  const Wide q = exp(-1 / scale);
  return {[=](long z) { return (1 - q) / (1 + q) * pow(q, std::labs(z)); }, reach};
}

Law gaussian_law(Wide sigma) {
  const auto weight = [sigma](const Wide& z) { return Wide(exp(-z * z / (2 * sigma * sigma))); };
  const long reach = static_cast<long>(20 * sigma) + 10;
  Wide total = 0;
  for (long z = -reach; z <= reach; ++z) total += weight(z);
  return {[=](long z) { return Wide(weight(z) / total); }, reach};
}

// The terms can peak far from both centres (for a Gaussian, at (1 - alpha) * shift).
Wide renyi_divergence_of(const Law& law, long shift, Wide alpha) {
  const long from = -law.reach - static_cast<long>(alpha * std::labs(shift));
  const long to = -from;
  Wide sum = 0;
  for (long z = from; z <= to; ++z) {
    sum += exp(alpha * log(law.mass(z)) + (1 - alpha) * log(law.mass(z - shift)));
  }
  return log(sum) / (alpha - 1);
}

Wide hockey_stick_of(const Law& law, long shift, Wide epsilon) {
  const Wide factor = exp(epsilon);
  Wide sum = 0;
  for (long z = -law.reach - std::labs(shift); z <= law.reach + std::labs(shift); ++z) {
    const Wide gain = law.mass(z) - factor * law.mass(z - shift);
    if (gain > 0) sum += gain;
  }
  return sum;
}

}  // namespace dp::test
