// Memory that holds noise, random words or withheld results is erased, even if an exception passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/measurements/noise_stage.h"
#include "core/measurements/threshold_stage.h"
#include "core/random/uniform.h"
#include "core/shuffle/random_bins.h"
#include "support/recorded_bits.h"

namespace dp::test::wiping_test {
namespace {

using Range = std::pair<const char*, std::size_t>;
std::vector<Range>* erased_ranges = nullptr;

// Memory that erase() has overwritten while this object lives.
class Erased {
 public:
  Erased() {
    erased_ranges = &ranges_;
    erase_observer = [](const void* memory, std::size_t size) {
      erased_ranges->emplace_back(static_cast<const char*>(memory), size);
    };
  }
  ~Erased() { erase_observer = nullptr; }

  bool covers(const void* memory, std::size_t size) const {
    const auto* begin = static_cast<const char*>(memory);
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
      return range.first <= begin && begin + size <= range.first + range.second;
    });
  }

  std::size_t largest() const {
    std::size_t most = 0;
    for (const Range& range : ranges_) most = std::max(most, range.second);
    return most;
  }

 private:
  std::vector<Range> ranges_;
};

// Reports where it wrote, then fails if told to.
class TracedNoise final : public GridNoise {
 public:
  explicit TracedNoise(bool fails) : fails_(fails) {}
  Integer draw(BitSource&) const override { return 0; }
  bool fits_int64() const override { return true; }
  void fill(std::int64_t* out, std::size_t size, BitSource&) const override {
    std::fill_n(out, size, std::int64_t{7});
    written_ = {reinterpret_cast<const char*>(out), size * sizeof(*out)};
    if (fails_) throw std::runtime_error("no more bits");
  }
  const Range& written() const { return written_; }

 private:
  bool fails_;
  mutable Range written_{nullptr, 0};
};

template <class F>
bool throws(F&& body) {
  try {
    body();
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

ColumnPtr numbers() {
  return make_column(AtomType::i64, std::vector<std::int64_t>{1, 20, 300, 4000});
}

void expect_noise_erased(const std::function<Function(std::shared_ptr<const GridNoise>)>& stage,
                         const Value& data) {
  for (bool fails : {false, true}) {
    SCOPED_TRACE(fails);
    const auto noise = std::make_shared<const TracedNoise>(fails);
    const Function function = stage(noise);
    Erased erased;
    EXPECT_EQ(throws([&] { function(data); }), fails);
    ASSERT_GT(noise->written().second, 0u);
    EXPECT_TRUE(erased.covers(noise->written().first, noise->written().second));
  }
}

TEST(Wiper, D_RNG_4_ErasesAtTheEndOfItsScopeHoweverThatEnds) {
  for (bool fails : {false, true}) {
    std::uint64_t words[3] = {1, 2, 3};
    EXPECT_EQ(throws([&] {
                const Wiper wiper(words, sizeof(words));
                EXPECT_EQ(words[2], 3u);
                if (fails) throw std::runtime_error("on the way");
              }),
              fails);
    EXPECT_TRUE(std::all_of(words, words + 3, [](std::uint64_t word) { return word == 0; }));
  }
}

TEST(Wiper, OfNothingTouchesNothing) {
  Erased erased;
  { const Wiper wiper(nullptr, 0); }
  EXPECT_EQ(erased.largest(), 0u);
}

TEST(Wiping, D_RNG_4_OfTheNoiseOfVectors) {
  expect_noise_erased(
      [](std::shared_ptr<const GridNoise> noise) {
        return vector_noise(AtomType::i64, 0, std::nullopt, std::move(noise));
      },
      numbers());
}

TEST(Wiping, D_RNG_4_OfTheNoiseOfThresholds) {
  expect_noise_erased(
      [](std::shared_ptr<const GridNoise> noise) {
        return threshold_noise(AtomType::i64, 0, std::move(noise), Threshold(Integer(100)));
      },
      MapPtr(std::make_shared<Map>(Map{numbers(), numbers()})));
}

TEST(Wiping, D_RNG_4_OfWhatAThresholdWithholds) {
  for (bool fails : {false, true}) {
    const Function function = threshold_noise(
        AtomType::i64, 0, std::make_shared<const TracedNoise>(fails), Threshold(Integer(100)));
    const std::size_t n = 3 * kBatchRows;
    std::vector<std::int64_t> many(n);
    for (std::size_t i = 0; i < n; ++i) many[i] = static_cast<std::int64_t>(i);
    const ColumnPtr rows = make_column(AtomType::i64, many);
    Erased erased;
    EXPECT_EQ(throws([&] { function(MapPtr(std::make_shared<Map>(Map{rows, rows}))); }), fails);
    EXPECT_GE(erased.largest(), n * sizeof(std::int64_t));  // all values at once
  }
}

TEST(Wiping, D_RNG_4_OfRandomWordsWhenTheSourceFails) {
  RecordedBits bits{1, 2, 3};
  Erased erased;
  EXPECT_THROW(uniform_bits(64 * 8, bits), OutOfBits);
  EXPECT_GE(erased.largest(), 64u);
}

TEST(Wiping, D_RNG_4_OfTheWordsOfBinsWhenTheSourceFails) {
  const BinDraws draws(BlockShape{10000, 4});
  RecordedBits bits{1, 2, 3};
  std::vector<std::uint16_t> bins(300);
  Erased erased;
  EXPECT_THROW(draws.draw(bins.data(), bins.size(), bits), OutOfBits);
  EXPECT_GE(erased.largest(), 100 * sizeof(std::uint64_t));
}

}  // namespace
}  // namespace dp::test::wiping_test
