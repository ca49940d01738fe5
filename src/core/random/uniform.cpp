#include "core/random/uniform.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace dp {

std::uint64_t uniform_below(std::uint64_t n, BitSource& bits) {
  if (n == 0) throw Error(ErrorKind::failed_function, "`n` must be positive.");
  return below_by_multiplication<std::uint64_t, uint128_t>(n, [&] { return bits.word(); });
}

Integer uniform_bits(std::size_t count, BitSource& bits) {
  if (count <= 64) return bits.bits(static_cast<unsigned>(count));
  std::vector<std::uint64_t> limbs(count / 64);
  const Wiper wiper(limbs.data(), limbs.size() * sizeof(std::uint64_t));
  bits.words(limbs.data(), limbs.size());
  Integer result;
  import_bits(result, limbs.begin(), limbs.end(), 64, false);
  const auto rest = static_cast<unsigned>(count % 64);
  return rest == 0 ? result : Integer((result << rest) | bits.bits(rest));
}

Integer uniform_below(const Integer& n, BitSource& bits) {
  if (n <= 0) throw Error(ErrorKind::failed_function, "`n` must be positive.");
  if (n == 1) return 0;
  const std::size_t length = msb(Integer(n - 1)) + 1;
  for (;;) {
    Integer candidate = uniform_bits(length, bits);
    if (candidate < n) return candidate;
  }
}

}  // namespace dp
