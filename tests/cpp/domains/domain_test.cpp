#include "core/domains/domain.h"

#include <gtest/gtest.h>

#include "support/doubles.h"
#include "support/expect_error.h"

namespace dp::test::domain_test {
namespace {

Domain map_of(const Domain& key, const Domain& value) {
  return MapDomain{std::make_shared<const Domain>(key), std::make_shared<const Domain>(value)};
}

struct Described {
  Domain domain;
  const char* debug;
  const char* type;
  const char* carrier;
};

std::vector<Described> described() {
  const AtomDomain i32 = default_atom(AtomType::i32);
  const AtomDomain f64 = default_atom(AtomType::f64);
  const AtomDomain text = default_atom(AtomType::string);
  AtomDomain loose = closed_atom(AtomType::f64, Scalar(0.0), Scalar(10.0));
  loose.nan = true;
  return {
      {i32, "AtomDomain(T=i32)", "AtomDomain<i32>", "i32"},
      {f64, "AtomDomain(nan=true, T=f64)", "AtomDomain<f64>", "f64"},
      {non_nan_atom(AtomType::f64), "AtomDomain(T=f64)", "AtomDomain<f64>", "f64"},
      {closed_atom(AtomType::i32, Scalar(1), Scalar(2)),
       "AtomDomain(bounds=[1, 2], T=i32)",
       "AtomDomain<i32>",
       "i32"},
      {loose, "AtomDomain(bounds=[0.0, 10.0], nan=true, T=f64)", "AtomDomain<f64>", "f64"},
      {OptionDomain{i32},
       "OptionDomain(AtomDomain(T=i32))",
       "OptionDomain<AtomDomain<i32>>",
       "Option<i32>"},
      {vector_of(i32),
       "VectorDomain(AtomDomain(T=i32))",
       "VectorDomain<AtomDomain<i32>>",
       "Vec<i32>"},
      {vector_of(i32, 12),
       "VectorDomain(AtomDomain(T=i32), size=12)",
       "VectorDomain<AtomDomain<i32>>",
       "Vec<i32>"},
      {vector_of(OptionDomain{f64}),
       "VectorDomain(OptionDomain(AtomDomain(nan=true, T=f64)))",
       "VectorDomain<OptionDomain<AtomDomain<f64>>>",
       "Vec<Option<f64>>"},
      {map_of(text, f64),
       "MapDomain { key_domain: AtomDomain(T=String), value_domain: AtomDomain(nan=true, T=f64) }",
       "MapDomain<AtomDomain<String>, AtomDomain<f64>>",
       "HashMap<String, f64>"},
      {DataFrameDomain{AtomType::string},
       "DataFrameDomain(\"String\")",
       "DataFrameDomain<String>",
       "DataFrame<String>"},
      {BitVectorDomain{std::nullopt}, "BitVectorDomain()", "BitVectorDomain", "BitVector"},
      {BitVectorDomain{4}, "BitVectorDomain(weight=4)", "BitVectorDomain", "BitVector"},
      {BitVectorDomain{4, 16},
       "BitVectorDomain(weight=4, size=16)",
       "BitVectorDomain",
       "BitVector"},
      {BitVectorDomain{std::nullopt, 8}, "BitVectorDomain(size=8)", "BitVectorDomain", "BitVector"},
      {UserDomain{"Name", nullptr, nullptr}, "Name", "ExtrinsicDomain", "ExtrinsicObject"},
  };
}

TEST(Domain, DescribesItself) {
  for (const Described& row : described()) {
    EXPECT_EQ(debug(row.domain), row.debug);
    EXPECT_EQ(type_name(row.domain), row.type);
    EXPECT_EQ(carrier_name(row.domain), row.carrier);
  }
}

TEST(Domain, EqualsOnlyItself) {
  const auto all = described();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      EXPECT_EQ(all[i].domain == all[j].domain, i == j) << all[i].debug << " " << all[j].debug;
    }
  }
}

TEST(Domain, EqualityIsByValueNotByBitsOrIdentity) {
  EXPECT_EQ(Domain(closed_atom(AtomType::f64, Scalar(-0.0), Scalar(1.0))),
            Domain(closed_atom(AtomType::f64, Scalar(0.0), Scalar(1.0))));
  EXPECT_NE(Domain(default_atom(AtomType::u64)), Domain(default_atom(AtomType::usize)));
  EXPECT_EQ(Domain(UserDomain{"a", nullptr, nullptr}),
            Domain(UserDomain{"a", std::make_shared<int>(1), std::make_shared<int>(2)}));
  EXPECT_NE(Domain(UserDomain{"a", nullptr, nullptr}), Domain(UserDomain{"b", nullptr, nullptr}));
}

TEST(Domain, BoundsPrintAsUsersWriteThem) {
  const auto bounds = [](const Scalar& lower, const Scalar& upper, AtomType type) {
    const std::string text = debug(Domain(closed_atom(type, lower, upper)));
    return text.substr(text.find('['), text.find(']') - text.find('[') + 1);
  };
  EXPECT_EQ(bounds(Scalar(-0.5), Scalar(1e16), AtomType::f64), "[-0.5, 1e16]");
  EXPECT_EQ(bounds(Scalar(1e-7), Scalar(1e15), AtomType::f64), "[1e-7, 1000000000000000.0]");
  EXPECT_EQ(bounds(Scalar(0.1F), Scalar(1.0F), AtomType::f32), "[0.1, 1.0]");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(bounds(Scalar(-inf), Scalar(inf), AtomType::f64), "[-inf, inf]");
  EXPECT_EQ(bounds(Scalar(std::int8_t{-128}), Scalar(std::int8_t{127}), AtomType::i8),
            "[-128, 127]");
}

TEST(Domain, ClosedAtomsRefuseBadBounds) {
  const auto text = expect_error(ErrorKind::make_domain,
                                 [] { closed_atom(AtomType::i32, Scalar(5), Scalar(1)); });
  EXPECT_EQ(text, "lower bound (5) may not be greater than upper bound (1)");
  expect_error(ErrorKind::failed_function,
               [] { closed_atom(AtomType::f64, Scalar(kNaN), Scalar(1.0)); });
  expect_error(ErrorKind::failed_function,
               [] { closed_atom(AtomType::f64, Scalar(0.0), Scalar(kNaN)); });
  expect_error(ErrorKind::failed_cast, [] { closed_atom(AtomType::i64, Scalar(0), Scalar(1)); });
  closed_atom(AtomType::i32, Scalar(1), Scalar(1));
}

TEST(Domain, ABitVectorHasWholeBytes) {
  EXPECT_EQ(make_bitvector_domain(3, 16).size, 16u);
  EXPECT_EQ(make_bitvector_domain(3, std::nullopt).size, std::nullopt);
  EXPECT_EQ(expect_error(ErrorKind::make_domain, [] { make_bitvector_domain(3, 12); }),
            "size must be a multiple of 8, for bit vectors are made of bytes, not 12");
  EXPECT_NE(Domain(make_bitvector_domain(3, 16)), Domain(make_bitvector_domain(3, 24)));
  EXPECT_NE(Domain(make_bitvector_domain(3, 16)), Domain(make_bitvector_domain(3, std::nullopt)));
}

TEST(Domain, TheUsersAtomDomainDefaultsToNoNanWithinBounds) {
  const Bounds unit = {Scalar(0.0), Scalar(1.0)};
  EXPECT_TRUE(make_atom_domain(AtomType::f64, std::nullopt, std::nullopt).nan);
  EXPECT_FALSE(make_atom_domain(AtomType::f64, unit, std::nullopt).nan);
  EXPECT_TRUE(make_atom_domain(AtomType::f64, unit, true).nan);
  EXPECT_FALSE(make_atom_domain(AtomType::string, std::nullopt, false).nan);
  const auto refused = [](AtomType type, std::optional<Bounds> bounds, bool nan, const char* says) {
    EXPECT_EQ(expect_error(ErrorKind::make_domain, [&] { make_atom_domain(type, bounds, nan); }),
              says);
  };
  refused(AtomType::i32, std::nullopt, true, "integers cannot represent nullity");
  refused(AtomType::boolean, std::nullopt, true, "bool cannot be NaN");
  refused(AtomType::string,
          Bounds{Scalar(std::string("a")), Scalar(std::string("b"))},
          false,
          "String cannot be bounded");
  refused(AtomType::f64, Bounds{Scalar(kNaN), Scalar(1.0)}, false, "lower must not be null");
  refused(AtomType::f64, Bounds{Scalar(0.0), Scalar(kNaN)}, false, "upper must not be null");
}

TEST(Domain, RowDomainsAreVectorsOfAtomsOrOptions) {
  const RowDomain rows = row_domain(vector_of(OptionDomain{default_atom(AtomType::u8)}, 3));
  EXPECT_EQ(rows.atom.type, AtomType::u8);
  EXPECT_TRUE(rows.option);
  EXPECT_EQ(rows.size, 3u);
  expect_error(ErrorKind::failed_cast, [] { row_domain(default_atom(AtomType::i32)); });
  expect_error(ErrorKind::failed_cast,
               [] { row_domain(vector_of(vector_of(default_atom(AtomType::i32)))); });
  expect_error(ErrorKind::failed_cast, [] { atom_domain(vector_of(default_atom(AtomType::i32))); });
}

}  // namespace
}  // namespace dp::test::domain_test
