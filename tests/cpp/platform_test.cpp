#include "core/platform.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#ifndef _WIN32
#include "support/child_process.h"
#endif

namespace dp::test::platform_test {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes drawn(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t place = 0; place < size;) {
    const std::ptrdiff_t got = random_bytes(bytes.data() + place, size - place);
    if (got <= 0) return {};
    place += static_cast<std::size_t>(got);
  }
  return bytes;
}

// Every byte changes within 64 draws, except with probability 1000 * 256^-63.
TEST(Platform, RandomBytesFillAllThatIsAskedFor) {
  const Bytes first = drawn(1000);
  ASSERT_EQ(first.size(), 1000U);
  std::vector<bool> changed(first.size());
  for (int i = 0; i < 64; ++i) {
    const Bytes next = drawn(first.size());
    for (std::size_t j = 0; j < first.size(); ++j) changed[j] = changed[j] || next[j] != first[j];
  }
  EXPECT_EQ(changed, std::vector<bool>(first.size(), true));
}

struct ReleasePages {
  std::size_t size;
  void operator()(unsigned char* pages) const { release_pages(pages, size); }
};

std::unique_ptr<unsigned char, ReleasePages> pages(std::size_t size) {
  return {static_cast<unsigned char*>(private_pages(size)), ReleasePages{size}};
}

TEST(Platform, PrivatePagesStartWithZerosAndCanBeWritten) {
  constexpr std::size_t kSize = 70000;  // not a multiple of the page size
  const auto bytes = pages(kSize);
  EXPECT_EQ(Bytes(bytes.get(), bytes.get() + kSize), Bytes(kSize, 0));
  std::memset(bytes.get(), 7, kSize);
  EXPECT_EQ(Bytes(bytes.get(), bytes.get() + kSize), Bytes(kSize, 7));
}

TEST(Platform, AProcessKeepsItsId) {
  EXPECT_GT(process_id(), 0);
  EXPECT_EQ(process_id(), process_id());
}

// Counts live objects, and detects destruction after the memory was reused.
struct Counted {
  static std::atomic<int> living, broken;
  Counted() { ++living; }
  ~Counted() {
    --living;
    if (self != this) ++broken;
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  const Counted* self = this;
  int asked = 0;
};
std::atomic<int> Counted::living{0};
std::atomic<int> Counted::broken{0};

TEST(Platform, AnObjectPerThreadLivesUntilItsThreadEnds) {
  const PerThread<Counted> mine;
  EXPECT_EQ(mine.if_made(), nullptr);
  ++mine().asked;
  EXPECT_EQ(mine.if_made(), &mine());
  for (int i = 0; i < 200; ++i) {
    std::thread([&] {
      EXPECT_EQ(mine.if_made(), nullptr);
      EXPECT_EQ(++mine().asked, 1);
      EXPECT_EQ(++mine().asked, 2);
      EXPECT_EQ(Counted::living, 2);
    }).join();
  }
  EXPECT_EQ(mine().asked, 1);
  EXPECT_EQ(Counted::living, 1);
  EXPECT_EQ(Counted::broken, 0);
}

struct Free {
  void operator()(unsigned char* memory) const { std::free(memory); }
};

TEST(Platform, LargeMemoryIsAlignedAndCanBeWrittenToItsEnd) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, 2 * kLargePage - 1, 2 * kLargePage, 3 * kLargePage + 1}) {
    const std::unique_ptr<unsigned char, Free> memory(
        static_cast<unsigned char*>(large_memory(size)));
    ASSERT_NE(memory, nullptr);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.get());
    EXPECT_EQ(address % alignof(std::max_align_t), 0U) << size;
#ifdef __linux__
    if (size >= 2 * kLargePage) {
      EXPECT_EQ(address % kLargePage, 0U) << size;
    }
#endif
    std::memset(memory.get(), 7, size);
    if (size > 0) {
      EXPECT_EQ(memory.get()[size - 1], 7);
    }
  }
}

#ifndef _WIN32

TEST(Platform, AForkedChildHasAnIdOfItsOwn) {
  const long mine = process_id();
  ChildProcess child([&] { return process_id() == mine ? 1 : 0; });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(process_id(), mine);
}

int g_forgotten = 0;

TEST(Platform, AfterForkRunsInTheChildAlone) {
  after_fork([] { ++g_forgotten; });
  ChildProcess child([] { return g_forgotten; });
  EXPECT_EQ(child.wait(), 1);
  EXPECT_EQ(g_forgotten, 0);
}

#endif

#ifdef __linux__

TEST(Platform, PrivatePagesAreZeroInAForkedChildAndKeptInItsParent) {
  constexpr std::size_t kSize = 70000;
  const auto bytes = pages(kSize);
  std::memset(bytes.get(), 7, kSize);
  ChildProcess child(
      [&] { return Bytes(bytes.get(), bytes.get() + kSize) == Bytes(kSize, 0) ? 0 : 1; });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(Bytes(bytes.get(), bytes.get() + kSize), Bytes(kSize, 7));
}

#endif

}  // namespace
}  // namespace dp::test::platform_test
