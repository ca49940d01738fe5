#include "core/measurements/randomized_response_bitvec.h"

#include <algorithm>
#include <cstdint>

#include "core/measurements/discrete_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bernoulli.h"
#include "core/random/constant_time_bernoulli.h"

namespace dp {
namespace {

template <class Flip>
Value flipped(const Value::Bits& in, Flip flip) {
  Value::Bits out = in;
  for (std::uint8_t& byte : out.bytes) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      byte = static_cast<std::uint8_t>(byte ^ (flip() ? 1u << bit : 0u));
    }
  }
  return out;
}

// `map` for a d_in of 0 or 1.
template <class Map>
Map at_one(Map map) {
  return [map](const Distance& d_in) {
    if (number_in<std::uint32_t>(d_in) > 1) {
      throw Error(ErrorKind::failed_function, "d_in must be 0 or 1.");
    }
    return map(d_in);
  };
}

}  // namespace

Measurement make_randomized_response_bitvec(const Domain& input_domain,
                                            const Metric& input_metric,
                                            double f,
                                            bool constant_time) {
  const auto* bits = input_domain.as<BitVectorDomain>();
  if (bits == nullptr) {
    throw Error(ErrorKind::failed_cast,
                "input_domain must be a BitVectorDomain, not " + debug(input_domain) + ".");
  }
  if (!bits->max_weight) {
    throw Error(ErrorKind::make_measurement,
                "make_randomized_response_bitvec requires a max_weight on the input_domain");
  }
  if (!bits->size) {
    throw Error(ErrorKind::make_measurement,
                "make_randomized_response_bitvec requires a size on the input_domain, because a "
                "release shows how many bits there are");
  }
  if (!(f > 0 && f <= 1)) throw Error(ErrorKind::make_measurement, "f must be in (0, 1]");

  const double flip = div_up(f, 2.0);
  const Rational odds = (1 - exact_rational(flip)) / exact_rational(flip);
  const std::uint64_t differing = std::min(std::uint64_t{2} * *bits->max_weight, *bits->size);
  const double loss = mul_up(ln_up(to_double_up(odds)), cast_up<double>(differing));
  const Rational lie = exact_rational(flip);
  const LossPair pair = finite_loss_pair({{1 - lie, lie}, {lie, 1 - lie}}, differing);
  const ConstantTimeBernoulli steady(flip);
  return Measurement(input_domain,
                     input_metric,
                     max_divergence(),
                     whole_function([=](const Value& arg) -> Value {
                       BitSource& source = secure_bits();
                       const Value::Bits& in = bits_in(arg);
                       if (constant_time) return flipped(in, [&] { return steady.draw(source); });
                       return flipped(in, [&] { return bernoulli(flip, source); });
                     }),
                     at_one(discrete_map(loss)),
                     at_one(discrete_loss_map({pair})));
}

}  // namespace dp
