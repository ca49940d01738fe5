#include "core/data/frame.h"

#include <gtest/gtest.h>

#include "core/data/membership.h"
#include "core/data/records.h"
#include "support/datasets.h"
#include "support/expect_error.h"

namespace dp::test::frame_test {
namespace {

ColumnPtr ints(const std::vector<std::int32_t>& elements) {
  return make_column(AtomType::i32, elements);
}

TEST(Frame, OfColumnsWithOneNameTheLastStays) {
  const Frame frame(AtomType::string,
                    {{std::string("A"), ints({1})},
                     {std::string("B"), ints({2})},
                     {std::string("A"), ints({3})}});
  ASSERT_EQ(frame.columns().size(), 2u);
  EXPECT_EQ(to_dataset<std::int32_t>(Value(frame.column(std::string("A"), AtomType::i32))),
            (Dataset<std::int32_t>{3}));
}

TEST(Frame, SaysWhichColumnIsMissingOrOfAnotherType) {
  const Frame frame(AtomType::i32, {{std::int32_t{7}, ints({1})}});
  EXPECT_NO_THROW(frame.column(std::int32_t{7}, AtomType::i32));
  expect_error(ErrorKind::failed_function, [&] { frame.column(std::int32_t{8}); });
  expect_error(ErrorKind::failed_cast, [&] { frame.column(std::int32_t{7}, AtomType::string); });
}

TEST(Frame, IsTheCarrierOfDataFrameDomains) {
  const Domain texts = DataFrameDomain{AtomType::string};
  const FramePtr frame = std::make_shared<Frame>(
      AtomType::string, std::vector<NamedColumn>{{std::string("A"), ints({})}});
  EXPECT_TRUE(member(texts, frame));
  EXPECT_FALSE(has_carrier(frame, DataFrameDomain{AtomType::i32}));
  EXPECT_FALSE(has_carrier(ints({}), texts));
  expect_error(ErrorKind::failed_cast, [&] { frame_in(ints({})); });
}

TEST(Records, HaveFieldsAndEmptyOnesBeyond) {
  const RecordsPtr records =
      std::make_shared<OwnedRecords>(std::vector<std::vector<std::string>>{{"a", "b"}, {}, {"c"}});
  EXPECT_EQ(to_dataset<std::string>(Value(field_of(records, 0))),
            (Dataset<std::string>{"a", "", "c"}));
  EXPECT_EQ(to_dataset<std::string>(Value(field_of(records, 1))),
            (Dataset<std::string>{"b", "", ""}));
  EXPECT_TRUE(has_carrier(records, vector_of(vector_of(default_atom(AtomType::string)))));
}

TEST(Text, IsAnElementOfTypeString) {
  const Text text{"abc", nullptr};
  EXPECT_TRUE(has_carrier(text, default_atom(AtomType::string)));
  EXPECT_FALSE(has_carrier(text, default_atom(AtomType::i32)));
  EXPECT_TRUE(member(default_atom(AtomType::string), text));
  EXPECT_EQ(text_in(text).characters, "abc");
  EXPECT_EQ(text_in(Scalar(std::string("xyz"))).characters, "xyz");
  expect_error(ErrorKind::failed_cast, [] { text_in(Scalar(1.0)); });
}

}  // namespace
}  // namespace dp::test::frame_test
