#include "core/measurements/alp_queryable.h"

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/engine/queryable.h"
#include "core/measurements/alp_table.h"
#include "core/measurements/checked_column.h"
#include "core/measurements/refuse.h"
#include "core/metrics/metric_space.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

struct Projection {
  AtomType key;
  AtomType value;
  Rational steps;      // per unit of value: scale / alpha
  std::size_t hashes;  // m
  unsigned log2_size;
  double flip;
};

std::uint64_t default_limit(const AtomDomain& values) {
  if (!values.bounds) refuse_measurement("value_limit is required when data is unbounded");
  return std::visit(
      [](const auto& upper) -> std::uint64_t {
        using T = std::decay_t<decltype(upper)>;
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
          return upper > 0 ? static_cast<std::uint64_t>(upper) : 0;
        } else {
          return 0;  // not among the values of this mechanism
        }
      },
      values.bounds->upper);
}

unsigned log2_up(const Integer& size) { return size == 1 ? 0 : msb(Integer(size - 1)) + 1; }

Projection plan(const Domain& domain,
                const Metric& metric,
                double scale,
                std::uint64_t total_limit,
                std::optional<std::uint64_t> value_limit,
                std::uint32_t size_factor,
                std::uint32_t alpha) {
  const auto* map = domain.as<MapDomain>();
  if (map == nullptr) {
    throw Error(ErrorKind::type,
                "No match for concrete type " + type_name(domain) + ". A MapDomain is needed.");
  }
  const AtomDomain& keys = atom_domain(*map->key);
  const AtomDomain& values = atom_domain(*map->value);
  if (!is_hashable(keys.type)) detail::refuse_type(keys.type, "integers, bool and String as keys");
  visit_integer(values.type, [](auto) {});
  check_metric_space(domain, metric);
  if (metric != l0pinf_distance(MetricKind::l01inf, absolute_distance(values.type))) {
    refuse_metric(metric, "input_metric must be L01InfDistance of the distance of the values");
  }
  if (!(scale > 0) || std::isinf(scale)) {
    refuse_measurement("scale (" + debug(Scalar(scale)) + ") must be positive");
  }
  if (alpha == 0) refuse_measurement("alpha (0) must be positive");
  const Rational steps = exact_rational(scale) / alpha;
  if (steps <= power_of_two(-52)) refuse_measurement("scale divided by alpha must be above 2^-52");
  const Integer size = floor(steps * Integer(total_limit) * size_factor);
  if (size <= 0) refuse_measurement("projection_size must be positive");
  if (size > Integer(1) << 32) refuse_measurement("projection_size must be at most 2^32");
  const std::uint64_t limit = value_limit ? *value_limit : default_limit(values);
  const Integer hashes = ceil(steps * Integer(limit));
  if (hashes >= Integer(1) << 24)
    refuse_measurement("value_limit times scale divided by alpha must be below 2^24");
  return {keys.type,
          values.type,
          steps,
          static_cast<std::size_t>(hashes),
          log2_up(size),
          div_up(1.0, alpha + 2.0)};
}

template <class K>
std::uint64_t key_hash(const Element<K>& key) {
  if constexpr (std::is_same_v<K, std::string>) {
    return hash_of_key(key);
  } else {
    return hash_of_key(static_cast<std::uint64_t>(key));
  }
}

// The values in steps; values below zero have none. Values and keys are read one after the other: a
// loop for each pair of their types would mean a hundred loops.
std::vector<Rational> steps_of(const Column& values, const Projection& plan) {
  std::vector<Rational> steps(values.size());
  visit_integer(plan.value, [&](auto tag) {
    using V = typename decltype(tag)::type;
    check_member_column<V>(values, std::nullopt);
    each_cell<V>(values, [&](V v, std::size_t i) {
      if (v > 0) steps[i] = to_integer(static_cast<int128_t>(v)) * plan.steps;
    });
  });
  return steps;
}

template <class K>
std::shared_ptr<const AlpTable> project(const Map& map, const Projection& plan) {
  BitSource& bits = secure_bits();
  const std::vector<Rational> steps = steps_of(*map.values, plan);
  auto table = std::make_shared<AlpTable>(plan.log2_size, plan.hashes, bits);
  each_cell<K>(*map.keys, [&](const Element<K>& key, std::size_t i) {
    table->add(key_hash<K>(key), steps[i], bits);
  });
  table->flip(plan.flip, bits);
  return table;
}

Value release(const Value& arg, const Projection& plan) {
  const Map& map = *map_in(arg);
  return visit_atom(plan.key, [&](auto key) -> Value {
    using K = typename decltype(key)::type;
    return make_queryable(
        [table = project<K>(map, plan),
         unit = to_double_nearest(1 / plan.steps)](const Value& query) {
          const Scalar asked = scalar_in(query);
          return Value(
              Scalar(table->estimate(key_hash<K>(scalar_as<K>(asked, "the query"))) * unit));
        },
        name(plan.key));
  });
}

}  // namespace

Measurement make_alp_queryable(const Domain& input_domain,
                               const Metric& input_metric,
                               double scale,
                               std::uint64_t total_limit,
                               std::optional<std::uint64_t> value_limit,
                               std::uint32_t size_factor,
                               std::uint32_t alpha) {
  const Projection projection =
      plan(input_domain, input_metric, scale, total_limit, value_limit, size_factor, alpha);
  return visit_integer(projection.value, [&](auto tag) {
    using V = typename decltype(tag)::type;
    return Measurement(
        input_domain,
        input_metric,
        max_divergence(),
        whole_function([projection](const Value& arg) { return release(arg, projection); }),
        [scale](const Distance& d_in) -> Distance {
          const auto* parts = d_in.as<Distance::Tuple>();
          if (parts == nullptr || parts->size() != 3) {
            throw Error(ErrorKind::failed_cast, "the distance must have three parts.");
          }
          const V l1 = number_in<V>((*parts)[1]);
          if (l1 < 0) throw Error(ErrorKind::failed_map, "d_in must be non-negative");
          return Scalar(mul_up(cast_up<double>(l1), scale));
        });
  });
}

}  // namespace dp
