#include "core/runtime/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/runtime/long_run.h"
#include "support/expect_error.h"

namespace dp::test::parallel_test {
namespace {

class Parallel : public ::testing::Test {
 protected:
  void TearDown() override {
    set_thread_count(1);
    set_interrupt_check({});
    set_progress({});
  }
};

TEST_F(Parallel, CallsEveryTaskOnce) {
  for (const std::size_t threads : {0, 1, 2, 3, 8, 100}) {
    for (const std::size_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(count);
      parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; });
      for (const auto& n : calls) EXPECT_EQ(n, 1);
    }
  }
}

TEST_F(Parallel, OneThreadIsTheCallersAndGoesInOrder) {
  std::vector<std::size_t> order;
  const auto caller = std::this_thread::get_id();
  parallel_for(5, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST_F(Parallel, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(2000, 3, [&](std::size_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 3u);
}

TEST_F(Parallel, AnExceptionStopsTheRestAndIsRethrownAsItIs) {
  for (const std::size_t threads : {1, 2, 8}) {
    std::atomic<std::size_t> calls{0};
    const auto body = [&] {
      parallel_for(1000000, threads, [&](std::size_t i) {
        ++calls;
        if (i == 10) throw std::out_of_range("ten");
        // The remaining tasks take minutes, however late the throwing thread is scheduled.
        if (i > 10) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
    };
    EXPECT_THROW(body(), std::out_of_range);
    EXPECT_LT(calls, 1000000u);
  }
}

TEST_F(Parallel, OneOfManyExceptionsIsRethrown) {
  EXPECT_THROW(parallel_for(100, 8, [](std::size_t) { throw std::runtime_error("all"); }),
               std::runtime_error);
}

TEST_F(Parallel, AWishToStopIsNotLostIfAnotherThreadHasFailedBefore) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> others{0};
  std::atomic<int> waiting{0};
  std::atomic<bool> has_failed{false};
  set_interrupt_check([&] { return has_failed.load(); });
  expect_error(ErrorKind::interrupted, [&] {
    parallel_for(3, 3, [&](std::size_t) {
      if (std::this_thread::get_id() == caller) {
        ++waiting;
        while (!has_failed) std::this_thread::yield();
        check_interrupt();
      } else if (others++ == 0) {
        while (waiting < 2) std::this_thread::yield();
        throw std::runtime_error("first");
      } else {
        ++waiting;
        try {
          for (;;) check_interrupt();
        } catch (const Error&) {
          has_failed = true;
          throw;
        }
      }
    });
  });
}

TEST_F(Parallel, AsksForInterruptsOnTheCallersThreadOnly) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> questions{0};
  set_interrupt_check([&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ++questions;
    return false;
  });
  parallel_for(1000, 4, [](std::size_t) {});
  parallel_for(3, 1, [](std::size_t) {});
  EXPECT_GE(questions, 3);
}

TEST_F(Parallel, AnInterruptStopsAllThreads) {
  for (const std::size_t threads : {1, 4}) {
    std::atomic<std::size_t> calls{0};
    set_interrupt_check([&] { return calls > 50; });
    expect_error(ErrorKind::interrupted, [&] {
      parallel_for(100000, threads, [&](std::size_t) {
        ++calls;
        // Wine does not sleep for less.
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
    });
    EXPECT_LT(calls, 100000u);
  }
}

TEST_F(Parallel, WhatAnInterruptCheckThrowsLeavesAsItIsOnceAllThreadsHaveStopped) {
  struct Jump {
    int to;
  };
  for (const std::size_t threads : {1, 4}) {
    std::atomic<int> questions{0};
    std::atomic<int> running{0};
    set_interrupt_check([&]() -> bool {
      if (++questions > 20) throw Jump{7};
      return false;
    });
    const auto forever = [&](std::size_t) {
      struct Counted {
        std::atomic<int>& count;
        explicit Counted(std::atomic<int>& of) : count(of) { ++count; }
        ~Counted() { --count; }
      };
      const Counted counted(running);
      while (true) check_interrupt();
    };
    try {
      parallel_for(threads, threads, forever);
      ADD_FAILURE() << "the jump was lost";
    } catch (const Jump& jump) {
      EXPECT_EQ(jump.to, 7);
    }
    EXPECT_EQ(running, 0);
  }
}

TEST_F(Parallel, AnInterruptReachesTheMiddleOfEveryTask) {
  const auto caller = std::this_thread::get_id();
  for (const std::size_t threads : {1, 4}) {
    std::atomic<int> questions{0};
    set_interrupt_check([&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      return ++questions > 20;
    });
    // Each task would otherwise run for ever.
    expect_error(ErrorKind::interrupted, [&] {
      parallel_for(threads, threads, [&](std::size_t) {
        while (true) check_interrupt();
      });
    });
  }
}

TEST_F(Parallel, ARegionWithinATaskAsksNobodyAndStopsWithTheRest) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> questions{0};
  set_interrupt_check([&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    return ++questions > 20;
  });
  set_progress([&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
  expect_error(ErrorKind::interrupted, [&] {
    parallel_for(3, 3, [&](std::size_t) {
      while (true) parallel_for(10, 2, [](std::size_t) {});
    });
  });
}

TEST_F(Parallel, TellsTheCallersThreadHowFarItHasCome) {
  const auto caller = std::this_thread::get_id();
  for (const std::size_t threads : {1, 4}) {
    std::vector<std::size_t> reported;
    set_progress([&](std::size_t done, std::size_t total) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(total, 500u);
      reported.push_back(done);
    });
    parallel_for(500, threads, [](std::size_t) {});
    ASSERT_FALSE(reported.empty());
    EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
    EXPECT_EQ(reported.back(), 500u);
    EXPECT_GE(reported.front(), 1u);
    reported.clear();
    EXPECT_THROW(parallel_for(500, threads, [](std::size_t) { throw std::out_of_range("none"); }),
                 std::out_of_range);
    EXPECT_EQ(reported.back(), 500u);
  }
}

TEST_F(Parallel, PassesOfALongRunAreCountedTogether) {
  for (const std::size_t threads : {1, 4}) {
    std::vector<std::size_t> reported;
    set_progress([&](std::size_t done, std::size_t total) {
      EXPECT_EQ(total, 60u);
      reported.push_back(done);
    });
    {
      const LongRun run(60);
      parallel_for(20, threads, [](std::size_t) {});
      EXPECT_EQ(reported.back(), 20u);
      const LongRun inner(7);
      parallel_for(30, threads, [](std::size_t) { parallel_for(5, 1, [](std::size_t) {}); });
      EXPECT_EQ(std::count(reported.begin(), reported.end(), 60u), 0);
    }
    EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
    EXPECT_EQ(reported.back(), 60u);
    EXPECT_EQ(std::count(reported.begin(), reported.end(), 60u), 1);
  }
}

TEST_F(Parallel, ALongRunWithoutATotalIsDoneWhenItEnds) {
  std::vector<std::size_t> reported;
  set_progress([&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, kNoTotal);
    reported.push_back(done);
  });
  {
    const LongRun run(kNoTotal);
    for (std::size_t pass = 1; pass <= 40; ++pass) {
      parallel_for(25, 2, [](std::size_t) {});
      EXPECT_EQ(reported.back(), 25 * pass);
    }
  }
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_EQ(std::count(reported.begin(), reported.end(), kNoTotal), 1);
  EXPECT_EQ(reported.back(), kNoTotal);
}

TEST_F(Parallel, ALongRunThatFailsIsDoneAsWell) {
  std::vector<std::size_t> reported;
  set_progress([&](std::size_t done, std::size_t) { reported.push_back(done); });
  EXPECT_THROW(
      {
        const LongRun run(9);
        parallel_for(3, 1, [](std::size_t) { throw std::out_of_range("none"); });
      },
      std::out_of_range);
  EXPECT_EQ(reported.back(), 9u);
  parallel_for(4, 1, [](std::size_t) {});
  EXPECT_EQ(reported.back(), 4u);
}

TEST_F(Parallel, TheThreadCountIsAtLeastOne) {
  set_thread_count(0);
  EXPECT_EQ(thread_count(), 1u);
  set_thread_count(3);
  EXPECT_EQ(thread_count(), 3u);
}

}  // namespace
}  // namespace dp::test::parallel_test
