#include "core/data/column_source.h"

#include <gtest/gtest.h>

#include "core/data/frame.h"
#include "core/data/owned.h"
#include "core/data/value.h"
#include "core/transformations/frames/subset_by.h"
#include "support/datasets.h"
#include "support/expect_error.h"

namespace dp::test::column_source_test {
namespace {

// Labels, or their positions, as in an R factor.
class Factor final : public ColumnSource {
 public:
  std::size_t size() const override { return 3; }
  AtomType type() const override { return AtomType::string; }
  ColumnPtr as(AtomType type) const override {
    if (type == AtomType::string) return make_column<std::string>(type, {"b", "a", "b"});
    if (type == AtomType::usize) return make_column<std::uint64_t>(type, {1, 0, 1});
    return nullptr;
  }
  ColumnSourcePtr owned() const override { return std::make_shared<Factor>(); }
};

Frame factor_frame() {
  std::vector<NamedColumn> columns;
  columns.emplace_back(std::string("f"), std::make_shared<Factor>());
  columns.emplace_back(std::string("keep"),
                       make_column<bool>(AtomType::boolean, {true, true, false}));
  return Frame(AtomType::string, std::move(columns));
}

template <class T>
Dataset<T> read(const Frame& frame, AtomType type) {
  return to_dataset<T>(Value(frame.column(std::string("f"), type)));
}

void expect_factor(const Frame& frame,
                   const Dataset<std::string>& labels,
                   const Dataset<std::uint64_t>& places) {
  EXPECT_EQ(read<std::string>(frame, AtomType::string), labels);
  EXPECT_EQ(read<std::uint64_t>(frame, AtomType::usize), places);
  expect_error(ErrorKind::failed_cast, [&] { frame.column(std::string("f"), AtomType::i32); });
}

TEST(ColumnSource, AreReadInEachOfTheirTypes) {
  expect_factor(factor_frame(), {"b", "a", "b"}, {1, 0, 1});
}

TEST(ColumnSource, KeepTheirTypesWhenCopied) {
  const Value copy = owned(FramePtr(std::make_shared<Frame>(factor_frame())));
  expect_factor(*frame_in(copy), {"b", "a", "b"}, {1, 0, 1});
}

TEST(ColumnSource, KeepTheirTypesWhenRowsAreSelected) {
  const Transformation kept =
      make_subset_by(std::string("keep"), {std::string("f")}, AtomType::string);
  const Value subset = kept.invoke(FramePtr(std::make_shared<Frame>(factor_frame())));
  expect_factor(*frame_in(subset), {"b", "a"}, {1, 0});
  expect_factor(*frame_in(owned(subset)), {"b", "a"}, {1, 0});
}

TEST(ColumnSource, OfRowsHaveTheirTypeAlone) {
  const ColumnSourcePtr rows = contents_of(make_column<double>(AtomType::f64, {1.5}));
  EXPECT_EQ(rows->type(), AtomType::f64);
  EXPECT_EQ(rows->size(), 1u);
  EXPECT_NE(rows->as(AtomType::f64), nullptr);
  EXPECT_EQ(rows->as(AtomType::f32), nullptr);
  EXPECT_NE(rows->owned()->as(AtomType::f64), nullptr);
}

}  // namespace
}  // namespace dp::test::column_source_test
