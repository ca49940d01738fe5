#include "core/random/bit_source.h"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <set>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/random/entropy.h"
#include "support/recorded_bits.h"

namespace dp::bit_source_test {
namespace {

using Words = std::vector<std::uint64_t>;

Words draw(BitSource& bits, std::size_t size) {
  Words words(size);
  for (std::uint64_t& word : words) word = bits.word();
  return words;
}

#ifndef _WIN32

// Words that a forked child draws, sent back through a pipe.
Words draw_in_child(BitSource& bits, std::size_t size, const std::function<pid_t()>& fork_now) {
  int channel[2];
  if (pipe(channel) != 0) return {};
  const pid_t child = fork_now();
  if (child == 0) {
    const Words words = draw(bits, size);
    const auto bytes = static_cast<ssize_t>(size * sizeof(std::uint64_t));
    _exit(write(channel[1], words.data(), static_cast<std::size_t>(bytes)) == bytes ? 0 : 1);
  }
  close(channel[1]);
  Words words(size);
  const ssize_t got = read(channel[0], words.data(), size * sizeof(std::uint64_t));
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const bool complete = status == 0 && got == static_cast<ssize_t>(size * sizeof(std::uint64_t));
  return complete ? words : Words{};
}

// Whether a parent and its children draw distinct words.
bool survives_fork(BitSource& bits, const std::function<pid_t()>& fork_now) {
  constexpr std::size_t kChildren = 16;
  constexpr std::size_t kWords = 4;
  Words all = draw(bits, 1);
  for (std::size_t i = 0; i < kChildren; ++i) {
    const Words words = draw_in_child(bits, kWords, fork_now);
    if (words.size() != kWords) return false;
    all.insert(all.end(), words.begin(), words.end());
  }
  const Words own = draw(bits, kWords);
  all.insert(all.end(), own.begin(), own.end());
  return std::set<std::uint64_t>(all.begin(), all.end()).size() == all.size();
}

pid_t library_fork() { return fork(); }

#ifdef __linux__
pid_t raw_fork() { return static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
#endif

// Mutant of secure_bits(): a system source whose buffer a fork copies.
class KeepsBufferAfterFork : public BitSource {
 public:
  KeepsBufferAfterFork() : BitSource(new Stock()) {}
  ~KeepsBufferAfterFork() override { delete stock_; }

 private:
  std::size_t supply(std::uint64_t* words) override {
    system_entropy(words, kCapacity * sizeof(std::uint64_t));
    return kCapacity;
  }
};

TEST(BitSource, D_RNG_3_ForkedChildrenAndTheirParentShareNoWord) {
  EXPECT_TRUE(survives_fork(secure_bits(), library_fork));
}

#ifdef __linux__
TEST(BitSource, D_RNG_3_AForkThatBypassesTheLibraryIsNoticedToo) {
  EXPECT_TRUE(survives_fork(secure_bits(), raw_fork));
}
#endif

TEST(BitSource, D_RNG_3_TheForkTestRejectsABufferKeptAfterFork) {
  KeepsBufferAfterFork copied;
  EXPECT_FALSE(survives_fork(copied, library_fork));
}

TEST(BitSource, D_RNG_3_SpareBitsDoNotSurviveAForkEither) {
  const auto next_bits = [] {
    std::uint64_t value = 0;
    for (int i = 0; i < 60; ++i) value = 2 * value + secure_bits().bits(1);
    return value;
  };
  secure_bits().bits(1);  // 63 bits are left over now
  int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t value = next_bits();
    _exit(write(channel[1], &value, sizeof(value)) == sizeof(value) ? 0 : 1);
  }
  std::uint64_t of_child = 0;
  ASSERT_EQ(read(channel[0], &of_child, sizeof(of_child)), ssize_t{sizeof(of_child)});
  int status = 0;
  waitpid(child, &status, 0);
  close(channel[0]);
  close(channel[1]);
  EXPECT_EQ(status, 0);
  EXPECT_NE(of_child, next_bits());
}

#endif

TEST(BitSource, EachThreadHasItsOwnStream) {
  const Words here = draw(secure_bits(), 100);
  Words there;
  std::thread([&there] { there = draw(secure_bits(), 100); }).join();
  std::set<std::uint64_t> all(here.begin(), here.end());
  all.insert(there.begin(), there.end());
  EXPECT_EQ(all.size(), 200u);
}

// Replaces the system call. Fills with a counter and logs the requested sizes.
struct FakeSystem {
  static inline std::vector<std::size_t> asked;
  static inline std::vector<std::ptrdiff_t>
      script;  // counts to return, or -errno; then everything asked
  static inline unsigned char counter = 0;

  static std::ptrdiff_t call(void* out, std::size_t size) {
    asked.push_back(size);
    auto got = static_cast<std::ptrdiff_t>(size);
    if (!script.empty()) {
      got = std::min(script.front(), got);
      script.erase(script.begin());
    }
    if (got < 0) {
      errno = static_cast<int>(-got);
      return -1;
    }
    for (std::ptrdiff_t i = 0; i < got; ++i) static_cast<unsigned char*>(out)[i] = ++counter;
    return got;
  }
};

class FailingEntropy : public ::testing::Test {
 protected:
  void SetUp() override {
    FakeSystem::asked.clear();
    FakeSystem::script.clear();
    FakeSystem::counter = 0;
    replace_entropy_call(FakeSystem::call);
  }
  void TearDown() override { replace_entropy_call(nullptr); }

  // Runs `use` in a new thread, which starts with an empty stock.
  template <class Use>
  void in_fresh_thread(Use use) {
    std::thread(use).join();
  }
};

TEST_F(FailingEntropy, D_RNG_2_ShortCountsAndSignalsAreRetriedUntilFull) {
  FakeSystem::script = {7, -EINTR, 100, 1, -EINTR};
  unsigned char bytes[200] = {};
  system_entropy(bytes, sizeof(bytes));
  for (int i = 0; i < 200; ++i) EXPECT_EQ(bytes[i], i + 1);
  EXPECT_EQ(FakeSystem::asked, (std::vector<std::size_t>{200, 193, 193, 93, 92, 92}));
}

TEST_F(FailingEntropy, D_RNG_2_EveryOtherFailureIsAnErrorAndNothingIsDrawn) {
  for (const std::ptrdiff_t failure : {-EAGAIN, -ENOSYS, -EIO, -EFAULT, 0}) {
    in_fresh_thread([failure] {
      FakeSystem::script = {16, failure};
      try {
        secure_bits().word();
        ADD_FAILURE() << "no error for " << failure;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::entropy);
        EXPECT_STREQ(error.what(), "The operating system did not provide random bytes.");
      }
      // The 16 bytes before the failure are discarded: the next word comes from a new refill.
      FakeSystem::counter = 0;
      EXPECT_EQ(secure_bits().word(), 0x0807060504030201u);
    });
  }
}

TEST_F(FailingEntropy, D_RNG_2_AFailureInTheMiddleOfABulkRequestIsAnError) {
  in_fresh_thread([] {
    Words words(40);
    FakeSystem::script = {256, -EIO};
    EXPECT_THROW(secure_bits().words(words.data(), words.size()), Error);
  });
}

TEST_F(FailingEntropy, RefillsGrowFrom256BytesTo64KiB) {
  in_fresh_thread([] { draw(secure_bits(), 40000); });
  const std::vector<std::size_t> start(FakeSystem::asked.begin(), FakeSystem::asked.begin() + 4);
  EXPECT_EQ(start, (std::vector<std::size_t>{256, 512, 1024, 2048}));
  EXPECT_EQ(FakeSystem::asked.back(), 65536u);
}

// Exposes the stock to tests.
class OpenBits : public RecordedBits {
 public:
  using RecordedBits::RecordedBits;
  std::uint64_t slot(std::size_t i) const { return stock_->words[i]; }
};

TEST(BitSource, D_RNG_4_AWordIsErasedWhenItIsTaken) {
  OpenBits bits({5, 6});
  EXPECT_EQ(bits.word(), 5u);
  EXPECT_EQ(bits.slot(0), 0u);
  std::uint64_t word = 0;
  bits.words(&word, 1);
  EXPECT_EQ(word, 6u);
  EXPECT_EQ(bits.slot(0), 0u);
}

std::atomic<std::size_t> erased_bytes{0};

TEST(BitSource, D_RNG_4_AThreadThatEndsErasesWhatItHasNotUsed) {
  std::thread([] {
    secure_bits().word();
    erase_observer = [](const void*, std::size_t size) { erased_bytes += size; };
  }).join();
  erase_observer = nullptr;
  EXPECT_GE(erased_bytes, std::size_t{1} << 16);
}

TEST(BitSource, BitsAreTheWordsCutFromTheirLowEnd) {
  RecordedBits bits{0x123456789abcdef0u, 0xfedcba9876543210u, 7};
  EXPECT_EQ(bits.bits(4), 0x0u);
  EXPECT_EQ(bits.bits(0), 0u);
  EXPECT_EQ(bits.bits(8), 0xefu);
  EXPECT_EQ(bits.bits(52), 0x123456789abcdu);
  EXPECT_EQ(bits.bits(60), 0xedcba9876543210u);
  EXPECT_EQ(bits.bits(8), 0x7fu);  // four bits from the end of a word, four from the next
  EXPECT_EQ(bits.bits(60), 0u);
  EXPECT_THROW(bits.bits(1), OutOfBits);
}

TEST(BitSource, BitsOf64AreWholeWordsAlsoWhenMisaligned) {
  RecordedBits bits{~std::uint64_t{0}, 0, ~std::uint64_t{0}};
  EXPECT_EQ(bits.bits(64), ~std::uint64_t{0});
  EXPECT_EQ(bits.bits(1), 0u);
  EXPECT_EQ(bits.bits(64), std::uint64_t{1} << 63);
}

TEST(BitSource, BulkWordsAreTheSingleWords) {
  ReplayedBits one_by_one(1);
  ReplayedBits in_bulk(1);
  const Words expected = draw(one_by_one, 2000);
  Words words(2000);
  words[0] = in_bulk.word();
  in_bulk.words(words.data() + 1, 1999);
  EXPECT_EQ(words, expected);
}

TEST(BitSource, AnInjectedSourceServesOnlyItsThreadAndScope) {
  RecordedBits recorded{1, 2, 3};
  {
    const ScopedBitSource scope(recorded);
    EXPECT_EQ(secure_bits().word(), 1u);
    std::thread([] { EXPECT_GT(secure_bits().word(), 3u); }).join();
  }
  EXPECT_GT(secure_bits().word(), 3u);
  EXPECT_EQ(recorded.used(), 1u);
}

}  // namespace
}  // namespace dp::bit_source_test
