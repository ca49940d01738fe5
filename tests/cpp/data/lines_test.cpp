#include "core/data/lines.h"

#include <gtest/gtest.h>

#include "support/neighbours.h"
#include "support/reductions.h"

namespace dp::test::lines_test {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (const auto& line : to_dataset<std::string>(Value(lines_of({text, nullptr})))) {
    out.push_back(*line);
  }
  return out;
}

using Lines = std::vector<std::string>;

TEST(Lines, EndAtLineFeedsWithOrWithoutCarriageReturns) {
  EXPECT_EQ(lines("ant\nbat\ncat\n"), (Lines{"ant", "bat", "cat"}));
  EXPECT_EQ(lines("ant\r\nbat\r\ncat"), (Lines{"ant", "bat", "cat"}));
  EXPECT_EQ(lines("a\rb\r\r\nc\r"), (Lines{"a\rb\r", "c\r"}));
  EXPECT_EQ(lines(""), (Lines{}));
  EXPECT_EQ(lines("\n"), (Lines{""}));
  EXPECT_EQ(lines("\r\n\n"), (Lines{"", ""}));
  EXPECT_EQ(lines("a\n\n"), (Lines{"a", ""}));
  EXPECT_EQ(lines(std::string("a\0b\nc", 5)), (Lines{std::string("a\0b", 3), "c"}));
}

// Reference by std::getline, for texts of all sizes around the strides of the index.
TEST(Lines, AgreeWithReadingFromTheStart) {
  TestRandom random(8);
  for (int round = 0; round < 60; ++round) {
    std::string text(random.below(20000), 'x');
    const std::size_t gap = 1 + random.below(round % 3 == 0 ? 3 : 3000);
    for (std::size_t i = random.below(gap); i < text.size(); i += 1 + random.below(gap)) {
      text[i] = '\n';
    }
    Lines expected;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      expected.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    ASSERT_EQ(lines(text), expected);
    // Reads arbitrary ranges of lines.
    const ColumnPtr rows = lines_of({text, nullptr});
    BatchBuffer buffer;
    for (int i = 0; i < 20 && !expected.empty(); ++i) {
      const std::size_t begin = random.below(expected.size());
      const std::size_t size = random.below(std::min(expected.size() - begin, kBatchRows) + 1);
      const Batch batch = rows->read(begin, size, buffer);
      ASSERT_EQ(batch.size, size);
      for (std::size_t j = 0; j < size; ++j) {
        ASSERT_EQ(batch.as<std::string>()[j], expected[begin + j]);
      }
    }
  }
}

TEST(Lines, AreViewsOfTheTextWhichTheyKeepAlive) {
  const auto text = std::make_shared<const std::string>(std::string(100, 'a') + "\nb");
  const std::weak_ptr<const std::string> alive = text;
  ColumnPtr rows = lines_of({*text, text});
  BatchBuffer buffer;
  EXPECT_EQ(rows->read(0, 2, buffer).as<std::string>()[0].data(), text->data());
  const_cast<std::shared_ptr<const std::string>&>(text).reset();
  EXPECT_FALSE(alive.expired());
  rows = nullptr;
  EXPECT_TRUE(alive.expired());
}

TEST(Lines, LargeTextsAreCountedByThreadsAlike) {
  std::string text;
  for (std::int64_t i = 0; text.size() < (std::size_t{20} << 20); ++i) {
    text += std::to_string(i * 7919 % 100003) + '\n';
  }
  const std::size_t expected = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  for (const std::size_t threads : {1, 2, 4}) {
    const ScopedThreads scoped(threads);
    EXPECT_EQ(lines_of({text, nullptr})->size(), expected);
  }
}

}  // namespace
}  // namespace dp::test::lines_test
