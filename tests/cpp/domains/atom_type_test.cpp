#include "core/domains/atom_type.h"

#include <gtest/gtest.h>

#include "core/domains/scalar.h"
#include "support/expect_error.h"

namespace dp::test::atom_type_test {
namespace {

constexpr AtomType kAll[] = {AtomType::i8,
                             AtomType::i16,
                             AtomType::i32,
                             AtomType::i64,
                             AtomType::i128,
                             AtomType::u8,
                             AtomType::u16,
                             AtomType::u32,
                             AtomType::u64,
                             AtomType::usize,
                             AtomType::f32,
                             AtomType::f64,
                             AtomType::boolean,
                             AtomType::string};

TEST(AtomType, IsReadBackFromItsName) {
  for (const AtomType type : kAll) EXPECT_EQ(parse_atom_type(name(type)), type);
  EXPECT_EQ(parse_atom_type("int"), AtomType::i32);
  EXPECT_EQ(parse_atom_type("float"), AtomType::f64);
  for (const char* text : {"", "I32", "i33", "string", "i32 "}) {
    expect_error(ErrorKind::type_parse, [&] { parse_atom_type(text); });
  }
}

TEST(AtomType, FallsIntoClasses) {
  for (const AtomType type : kAll) {
    EXPECT_EQ(is_number(type), type != AtomType::boolean && type != AtomType::string);
    EXPECT_EQ(is_float(type), type == AtomType::f32 || type == AtomType::f64);
    EXPECT_EQ(is_integer(type), is_number(type) && !is_float(type));
    EXPECT_EQ(is_hashable(type), !is_float(type));
  }
}

TEST(AtomType, IsVisitedInItsCarrier) {
  for (const AtomType type : kAll) {
    const Scalar zero =
        visit_atom(type, [](auto tag) -> Scalar { return typename decltype(tag)::type{}; });
    EXPECT_TRUE(carries(zero, type)) << name(type);
  }
}

TEST(AtomType, VisitsOfClassesRefuseTheRestByName) {
  const auto nothing = [](auto) { return 0; };
  for (const AtomType type : kAll) {
    const auto refuses = [&](bool allowed, auto visit) {
      if (allowed) {
        EXPECT_EQ(visit(), 0);
      } else {
        const std::string text = expect_error(ErrorKind::type, visit);
        EXPECT_NE(text.find(name(type)), std::string::npos);
      }
    };
    refuses(is_number(type), [&] { return visit_number(type, nothing); });
    refuses(is_integer(type), [&] { return visit_integer(type, nothing); });
    refuses(is_float(type), [&] { return visit_float(type, nothing); });
  }
}

}  // namespace
}  // namespace dp::test::atom_type_test
