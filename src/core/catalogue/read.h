// Reads the parameters of a constructor, by their C++ types.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue/arguments.h"
#include "core/numeric/parameters.h"
#include "core/transformations/frames/frame_keys.h"
#include "core/transformations/sums/float_sum_stability.h"

namespace dp {

// Name of a parameter, and source of the type of its constants.
struct Argument {
  enum class Carrier { input, key, map_value, named };

  Argument(const char* argument) : name(argument) {}  // NOLINT: most are no more than a name
  Argument(const char* argument, Carrier of) : name(argument), carrier(of) {}

  const char* name;
  Carrier carrier = Carrier::input;
  const char* type = nullptr;     // Carrier::named: the argument that names the type,
  const char* example = nullptr;  // and the one whose elements have it if that is not given
};

// Constants in the type of the names of the input's columns, or of the values of its map.
inline Argument in_keys(const char* name) { return {name, Argument::Carrier::key}; }
inline Argument in_map_values(const char* name) { return {name, Argument::Carrier::map_value}; }

// Constants in the type that the argument `type` describes, or else the element type of `example`.
inline Argument typed(const char* name, const char* type, const char* example = nullptr) {
  Argument argument{name, Argument::Carrier::named};
  argument.type = type;
  argument.example = example;
  return argument;
}

// A type, by default the element type of `example`.
inline Argument type_of(const char* name, const char* example) {
  Argument argument{name};
  argument.example = example;
  return argument;
}

// The type of the constants that `argument` holds.
AtomType carrier_of(const Arguments& in, const Argument& argument);

// The order of additions in the argument `name`; "Pairwise<.T>" is the order for numbers of `type`.
Summation summation_over(const Arguments& in, const char* name, AtomType type);
// summation_over() with the element type of `bounds`.
Summation summation_of_bounds(const Arguments& in, const char* name, const char* bounds);

// Throws `type` unless the argument describes this measure, the only one that there is.
void check_guarantee(const Arguments& in, const char* name, const Measure& measure);

template <class T>
struct Read;

// Objects of the framework, which the arguments keep.
#define DP_READ_OBJECT(Type, method)                                      \
  template <>                                                             \
  struct Read<Type> {                                                     \
    static const Type& from(const Arguments& in, const Argument& given) { \
      return in.method(given.name);                                       \
    }                                                                     \
  };
DP_READ_OBJECT(Domain, domain)
DP_READ_OBJECT(Metric, metric)
DP_READ_OBJECT(Measure, measure)
DP_READ_OBJECT(Transformation, transformation)
DP_READ_OBJECT(Measurement, measurement)
DP_READ_OBJECT(Odometer, odometer)
DP_READ_OBJECT(Function, function)
#undef DP_READ_OBJECT

// Values that need only their name.
#define DP_READ_VALUE(Type, expression)                                                 \
  template <>                                                                           \
  struct Read<Type> {                                                                   \
    static Type from(const Arguments& in, const Argument& given) { return expression; } \
  };
DP_READ_VALUE(bool, in.flag(given.name))
DP_READ_VALUE(double, in.real(given.name))
DP_READ_VALUE(std::uint64_t, in.size(given.name))
DP_READ_VALUE(std::uint32_t, std::get<std::uint32_t>(in.number(given.name, AtomType::u32)))
DP_READ_VALUE(int, std::get<std::int32_t>(in.number(given.name, AtomType::i32)))
DP_READ_VALUE(std::int64_t, static_cast<std::int64_t>(in.size(given.name)))
DP_READ_VALUE(Delta, Delta(in.real(given.name)))
DP_READ_VALUE(std::string, in.text(given.name))
DP_READ_VALUE(std::vector<std::string>, in.texts(given.name))
DP_READ_VALUE(std::vector<Measurement>, in.measurements(given.name))
DP_READ_VALUE(AtomType, in.type(given.name, given.example))
DP_READ_VALUE(Scalar, in.constant(given.name, carrier_of(in, given)))
DP_READ_VALUE(std::vector<Scalar>, in.constants(given.name, carrier_of(in, given)))
DP_READ_VALUE(Bounds, in.bounds(given.name, carrier_of(in, given)))
DP_READ_VALUE(Distance, in.distance(given.name, in.metric("input_metric")))
DP_READ_VALUE(std::vector<Distance>, in.distances(given.name, in.measure("output_measure")))
DP_READ_VALUE(Summation, summation_over(in, given.name, carrier_of(in, given)))
#undef DP_READ_VALUE

template <>
struct Read<std::vector<double>> {
  static std::vector<double> from(const Arguments& in, const Argument& given) {
    std::vector<double> numbers;
    for (const Scalar& each : in.constants(given.name, AtomType::f64)) {
      numbers.push_back(std::get<double>(each));
    }
    return numbers;
  }
};

// Optional values.
template <class T>
struct Read<std::optional<T>> {
  static std::optional<T> from(const Arguments& in, const Argument& given) {
    if (!in.is_given(given.name)) return std::nullopt;
    return Read<T>::from(in, given);
  }
};

}  // namespace dp
