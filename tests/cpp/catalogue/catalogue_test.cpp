#include "core/catalogue/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <map>
#include <set>
#include <string>

#include "support/expect_error.h"

namespace dp::catalogue_test {
namespace {

using test::expect_error;

// Arguments that hold values of the core's types.
class GivenArguments final : public Arguments {
 public:
  explicit GivenArguments(std::map<std::string, std::any> given) : given_(std::move(given)) {}

  bool is_given(const char* name) const override { return given_.count(name) == 1; }
  const Domain& domain(const char* name) const override { return of<Domain>(name); }
  const Metric& metric(const char* name) const override { return of<Metric>(name); }
  const Measure& measure(const char* name) const override { return of<Measure>(name); }
  const Transformation& transformation(const char* name) const override {
    return of<Transformation>(name);
  }
  const Measurement& measurement(const char* name) const override { return of<Measurement>(name); }
  const Odometer& odometer(const char* name) const override { return of<Odometer>(name); }
  const Function& function(const char* name) const override { return of<Function>(name); }
  std::vector<Measurement> measurements(const char* name) const override {
    return of<std::vector<Measurement>>(name);
  }
  std::string descriptor(const char* name) const override { return of<std::string>(name); }
  AtomType type(const char* name, const char* example) const override {
    if (name != nullptr && is_given(name)) return parse_atom_type(of<std::string>(name));
    const bool is_text = std::holds_alternative<std::string>(of<Scalar>(example));
    return is_text ? AtomType::string : AtomType::i32;
  }
  bool is_flag(const char* name) const override {
    return std::any_cast<bool>(&at(name)) != nullptr;
  }
  bool flag(const char* name) const override { return of<bool>(name); }
  std::string text(const char* name) const override { return of<std::string>(name); }
  std::vector<std::string> texts(const char* name) const override {
    return of<std::vector<std::string>>(name);
  }
  std::uint64_t size(const char* name) const override { return of<std::uint64_t>(name); }
  std::vector<std::uint64_t> sizes(const char* name) const override {
    return of<std::vector<std::uint64_t>>(name);
  }
  double real(const char* name) const override { return of<double>(name); }
  std::vector<double> reals(const char* name) const override {
    return of<std::vector<double>>(name);
  }
  std::vector<ColumnSpec> columns(const char* name) const override {
    return of<std::vector<ColumnSpec>>(name);
  }
  RowProgram program(const char* name) const override { return of<RowProgram>(name); }
  Scalar constant(const char* name, AtomType type) const override {
    asked_.push_back(std::string(name) + " in " + dp::name(type));
    return of<Scalar>(name);
  }
  std::vector<Scalar> constants(const char* name, AtomType type) const override {
    return {constant(name, type)};
  }
  Bounds bounds(const char* name, AtomType type) const override {
    asked_.push_back(std::string(name) + " in " + dp::name(type));
    return of<Bounds>(name);
  }
  Scalar number(const char* name, AtomType type) const override { return constant(name, type); }
  Distance distance(const char* name, const Metric&) const override { return of<Distance>(name); }
  Distance distance(const char* name, const Measure&) const override { return of<Distance>(name); }
  std::vector<Distance> distances(const char* name, const Measure&) const override {
    return of<std::vector<Distance>>(name);
  }
  DataFunction callback(const char* name, const Domain&, const Domain&) const override {
    return of<DataFunction>(name);
  }
  DataFunction callback(const char* name, const Domain&, const std::string&) const override {
    return of<DataFunction>(name);
  }
  DataFunction postprocessor(const char* name, const std::string&) const override {
    return of<DataFunction>(name);
  }
  DistanceMap map(const char* name, const Metric&) const override { return of<DistanceMap>(name); }
  DistanceMap map(const char* name, const Measure&) const override { return of<DistanceMap>(name); }
  std::function<double(double)> curve(const char* name) const override {
    return of<std::function<double(double)>>(name);
  }
  Opaque membership_test(const char* name) const override { return of<Opaque>(name); }
  Opaque object(const char* name) const override { return of<Opaque>(name); }
  std::function<bool(const Opaque&, const Opaque&)> same_objects() const override {
    return std::equal_to<Opaque>();
  }
  std::function<std::optional<double>(const Value&)> score_of_release() const override {
    return [](const Value&) { return std::nullopt; };
  }

  // Constants that were read, with their order and type.
  const std::vector<std::string>& asked() const { return asked_; }

 private:
  const std::any& at(const char* name) const {
    const auto found = given_.find(name);
    if (found == given_.end()) {
      throw Error(ErrorKind::failed_cast, std::string(name) + " is missing.");
    }
    return found->second;
  }

  template <class T>
  const T& of(const char* name) const {
    const auto* value = std::any_cast<T>(&at(name));
    if (value == nullptr) throw Error(ErrorKind::failed_cast, std::string(name) + " is another.");
    return *value;
  }

  std::map<std::string, std::any> given_;
  mutable std::vector<std::string> asked_;
};

const Domain kInts = vector_of(Domain(default_atom(AtomType::i32)));

TEST(Catalogue, NamesEachConstructorAndArgumentOnce) {
  std::set<std::string> names;
  for (const Family& family : catalogue()) {
    EXPECT_FALSE(family.constructors.empty()) << family.module;
    for (const Constructor& each : family.constructors) {
      EXPECT_TRUE(names.insert(each.name()).second) << each.name();
      const auto& arguments = each.arguments();
      EXPECT_EQ(std::set<std::string>(arguments.begin(), arguments.end()).size(), arguments.size())
          << each.name();
      EXPECT_EQ(&constructor_called(each.name()), &each);
    }
  }
  expect_error(ErrorKind::type, [] { constructor_called("make_nothing"); });
}

TEST(Catalogue, ARowMakesWhatItsConstructorMakes) {
  const GivenArguments in({{"input_domain", kInts},
                           {"input_metric", symmetric_distance()},
                           {"bounds", Bounds{std::int32_t{0}, std::int32_t{9}}}});
  const Made made = constructor_called("make_clamp").make(in);
  const auto& clamp = std::get<Transformation>(made);
  EXPECT_EQ(debug(clamp.output_domain()), "VectorDomain(AtomDomain(bounds=[0, 9], T=i32))");
  EXPECT_EQ(in.asked(), std::vector<std::string>{"bounds in i32"});
}

TEST(Catalogue, ArgumentsAreReadFromTheFirstToTheLast) {
  const GivenArguments in({{"input_domain", kInts}});
  const std::string sentence =
      expect_error(ErrorKind::failed_cast, [&] { constructor_called("make_clamp").make(in); });
  EXPECT_EQ(sentence, "input_metric is missing.");
}

TEST(Catalogue, ConstantsHaveTheTypeOfWhatTheyStandFor) {
  const Domain frames = DataFrameDomain{AtomType::string};
  const GivenArguments key({{"input_domain", frames},
                            {"input_metric", symmetric_distance()},
                            {"column_name", Scalar(std::string("a"))},
                            {"value", Scalar(std::int32_t{1})}});
  constructor_called("make_df_is_equal").make(key);
  EXPECT_EQ(key.asked(), (std::vector<std::string>{"column_name in String", "value in i32"}));

  const Domain counts = MapDomain{std::make_shared<const Domain>(default_atom(AtomType::string)),
                                  std::make_shared<const Domain>(default_atom(AtomType::i64))};
  const GivenArguments value(
      {{"input_domain", counts},
       {"input_metric", l0pinf_distance(MetricKind::l01inf, absolute_distance(AtomType::i64))},
       {"scale", 1.0},
       {"threshold", Scalar(std::int64_t{50})},
       {".MO", std::string("Approximate<MaxDivergence>")}});
  constructor_called("make_laplace_threshold").make(value);
  EXPECT_EQ(value.asked(), std::vector<std::string>{"threshold in i64"});
}

// Statistics demonstrate the constructors of the last family, which they are made of.
TEST(Catalogue, EveryConstructorOfCallersHasAnExample) {
  for (const Family& family : catalogue()) {
    for (const Constructor& each : family.constructors) {
      EXPECT_EQ(each.example().has_value(), family.module != "statistics") << each.name();
    }
  }
}

TEST(Catalogue, WhatCanBeCalibratedIsAnArgumentOfItsOwn) {
  int free = 0;
  for (const Family& family : catalogue()) {
    for (const Constructor& each : family.constructors) {
      for (const FreeArgument& argument : each.free_arguments()) {
        const auto& names = each.arguments();
        EXPECT_EQ(std::count(names.begin(), names.end(), argument.name), 1) << each.name();
        EXPECT_EQ(&each.free_argument(argument.name), &argument);
        ++free;
      }
    }
  }
  EXPECT_GT(free, 10);
  const std::string sentence =
      expect_error(ErrorKind::type, [] { constructor_called("make_laplace").free_argument("k"); });
  EXPECT_EQ(sentence, "make_laplace cannot be calibrated by its `k`.");
}

TEST(Catalogue, AnotherGuaranteeThanTheOneThatThereIsIsRefused) {
  const GivenArguments in({{"input_domain", Domain(default_atom(AtomType::i32))},
                           {"input_metric", absolute_distance(AtomType::i32)},
                           {"scale", 1.0},
                           {".MO", std::string("ZeroConcentratedDivergence")}});
  const std::string sentence =
      expect_error(ErrorKind::type, [&] { constructor_called("make_laplace").make(in); });
  EXPECT_EQ(sentence, "`.MO` must be MaxDivergence, not ZeroConcentratedDivergence.");
}

TEST(Catalogue, AnOpenSummationIsClosedByTheTypeOfWhatIsSummed) {
  const Domain rows = vector_of(Domain(closed_atom(AtomType::f32, 0.0F, 1.0F)), 4);
  const GivenArguments in({{"input_domain", rows},
                           {"input_metric", symmetric_distance()},
                           {"ddof", std::uint64_t{1}},
                           {".S", std::string("Pairwise<.T>")}});
  const Made made = constructor_called("make_variance").make(in);
  EXPECT_EQ(carrier_name(std::get<Transformation>(made).output_domain()), "f32");
}

}  // namespace
}  // namespace dp::catalogue_test
