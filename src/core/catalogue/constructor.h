// A row of the catalogue: a constructor, its parameters and its required features.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/catalogue/read.h"
#include "core/measurements/calibrate.h"
#include "core/measures/privacy_profile.h"
#include "core/one_of.h"

namespace dp {

// A function of a release, and the descriptor of its input type; "" if its argument determines it.
struct Postprocessor {
  Function function;
  std::string takes;
};

// Results of constructors.
using Made = OneOf<Domain,
                   Metric,
                   Measure,
                   Transformation,
                   Measurement,
                   Odometer,
                   Postprocessor,
                   PrivacyProfile>;

class Constructor {
 public:
  using Make = std::function<Made(const Arguments&)>;

  Constructor(std::string name, std::vector<std::string> arguments, Make make)
      : name_(std::move(name)), arguments_(std::move(arguments)), make_(std::move(make)) {}

  // By default "contrib" alone.
  Constructor needs(std::vector<std::string> features) && {
    features_ = std::move(features);
    return std::move(*this);
  }

  // Names an argument for calibrate(): the loss decreases as it grows.
  Constructor falls_with(const char* argument, Values values = Values::reals) && {
    free_.push_back({argument, values});
    return std::move(*this);
  }

  // Valid arguments, in R syntax, without the call's parentheses. Arguments of the piped space come
  // first and have no name; all others have names.
  Constructor example(std::string arguments) && {
    example_ = std::move(arguments);
    return std::move(*this);
  }

  const std::string& name() const { return name_; }
  const std::vector<std::string>& arguments() const { return arguments_; }
  const std::vector<std::string>& features() const { return features_; }
  const std::vector<FreeArgument>& free_arguments() const { return free_; }
  // None only of what statistics are made of, which their own examples show.
  const std::optional<std::string>& example() const { return example_; }
  Made make(const Arguments& in) const { return make_(in); }

  // Whether the first two arguments are the domain and the metric of the input.
  bool takes_space() const;

  // The argument of this name; throws `type` unless the loss is known to decrease in it.
  const FreeArgument& free_argument(const std::string& argument) const;

 private:
  std::string name_;
  std::vector<std::string> arguments_;
  std::vector<std::string> features_{"contrib"};
  std::vector<FreeArgument> free_;
  std::optional<std::string> example_;
  Make make_;
};

// Features of constructors that rely on a promise of the user.
inline const std::vector<std::string> kPromised{"contrib", "honest-but-curious"};

namespace detail {

// Uses a tuple, because it fixes the order of reading arguments, and so which of two errors is
// thrown.
template <class Result, class... Takes, std::size_t... I>
Made make_from(Result (*make)(Takes...),
               const Arguments& in,
               const std::vector<Argument>& takes,
               std::index_sequence<I...>) {
  using Read_ = std::tuple<decltype(Read<std::decay_t<Takes>>::from(in, takes[I]))...>;
  return std::apply(make, Read_{Read<std::decay_t<Takes>>::from(in, takes[I])...});
}

inline std::vector<std::string> names_of(const std::vector<Argument>& takes) {
  std::vector<std::string> names;
  for (const Argument& argument : takes) names.emplace_back(argument.name);
  return names;
}

}  // namespace detail

// A constructor with parameters that Read takes from these arguments, in their order. A row with
// more or fewer of them than the constructor has does not compile.
template <class Result, class... Takes>
Constructor constructor(const char* name,
                        Result (*make)(Takes...),
                        const Argument (&takes)[sizeof...(Takes)]) {
  const std::vector<Argument> all(takes, takes + sizeof...(Takes));
  return {name, detail::names_of(all), [make, all](const Arguments& in) {
            return detail::make_from(make, in, all, std::index_sequence_for<Takes...>{});
          }};
}

template <class Result>
Constructor constructor(const char* name, Result (*make)()) {
  return {name, {}, [make](const Arguments&) { return Made(make()); }};
}

// For constructors whose R arguments do not map one-to-one to C++ parameters.
inline Constructor constructor(const char* name,
                               std::vector<std::string> arguments,
                               Constructor::Make make) {
  return {name, std::move(arguments), std::move(make)};
}

}  // namespace dp
