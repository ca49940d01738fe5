#include "core/engine/queryable.h"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <memory>

#include "support/expect_error.h"

namespace dp::test::queryable_test {
namespace {

Value ask(const QueryablePtr& queryable, std::int32_t query) {
  return queryable->ask(Scalar(query));
}

std::int32_t number(const Value& value) { return element_in<std::int32_t>(value); }

// Answers with the running sum of all queries.
QueryablePtr running_sum() {
  return make_queryable([sum = 0](const Value& query) mutable -> Value {
    sum += number(query);
    return Scalar(sum);
  });
}

// Answers every query with a new queryable of the same kind.
QueryablePtr family() {
  return make_queryable([](const Value&) -> Value { return family(); });
}

QueryablePtr child_of(const QueryablePtr& parent) { return *ask(parent, 0).as<QueryablePtr>(); }

TEST(Queryable, RemembersWhatItHasAnswered) {
  const QueryablePtr sum = running_sum();
  EXPECT_EQ(number(ask(sum, 2)), 2);
  EXPECT_EQ(number(ask(sum, 40)), 42);
  EXPECT_EQ(number(queryable_in(Value(sum)).ask(Scalar(0))), 42);
  expect_error(ErrorKind::failed_cast, [] { queryable_in(Scalar(1)); });
}

TEST(Queryable, TellsWhatItMayBeAsked) {
  EXPECT_EQ(running_sum()->query_type(), "ExtrinsicObject");
  const auto echo = [](const Value& query) { return query; };
  EXPECT_EQ(make_queryable(echo, "i32")->query_type(), "i32");
}

TEST(Queryable, AnswersOneQueryAtATime) {
  QueryablePtr self;
  self = make_queryable([&self](const Value& query) { return self->ask(query); });
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { ask(self, 1); }),
            "a queryable may only execute one query at a time");
}

TEST(Queryable, AnswersAgainAfterAFailure) {
  const QueryablePtr picky = make_queryable([](const Value& query) -> Value {
    if (number(query) < 0) throw Error(ErrorKind::failed_function, "no");
    return query;
  });
  EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { ask(picky, -1); }), "no");
  EXPECT_EQ(number(ask(picky, 1)), 1);
}

TEST(Queryable, IsSilentOnceItsLockIsClosedAndSoAreItsDescendants) {
  const auto lock = std::make_shared<QueryLock>("closed");
  QueryablePtr before = family(), inside;
  {
    const ScopedQueryLock scope(lock);
    inside = family();
  }
  const QueryablePtr child = child_of(inside);
  const QueryablePtr grandchild = child_of(child);
  const QueryablePtr after = family();
  EXPECT_NO_THROW(child_of(grandchild));
  lock->close();
  for (const QueryablePtr& silent : {inside, child, grandchild}) {
    EXPECT_EQ(expect_error(ErrorKind::failed_function, [&] { ask(silent, 0); }), "closed");
  }
  for (const QueryablePtr& open : {before, after}) EXPECT_NO_THROW(child_of(child_of(open)));
}

TEST(Queryable, AChildMadeByAStrangerIsSilencedToo) {
  const auto lock = std::make_shared<QueryLock>("closed");
  const QueryablePtr stranger = family();
  QueryablePtr smuggled;
  {
    const ScopedQueryLock scope(lock);
    smuggled = child_of(stranger);
  }
  lock->close();
  expect_error(ErrorKind::failed_function, [&] { ask(smuggled, 0); });
  EXPECT_NO_THROW(ask(stranger, 0));
}

TEST(Queryable, LocksEndWithTheAnswerEvenIfThatFails) {
  const auto lock = std::make_shared<QueryLock>("closed");
  QueryablePtr failing;
  {
    const ScopedQueryLock scope(lock);
    failing = make_queryable(
        [](const Value&) -> Value { throw Error(ErrorKind::failed_function, "no"); });
  }
  EXPECT_THROW(ask(failing, 0), Error);
  const QueryablePtr free = family();
  lock->close();
  EXPECT_NO_THROW(ask(free, 0));
}

#ifndef _WIN32

TEST(Queryable, D_LED_3_AForkedProcessCannotAsk) {
  const QueryablePtr sum = running_sum();
  const pid_t child = fork();
  if (child == 0) {
    try {
      ask(sum, 1);
    } catch (const Error& error) {
      _exit(error.kind() == ErrorKind::stale_object ? 0 : 1);
    }
    _exit(2);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(number(ask(sum, 1)), 1);
}

#endif

}  // namespace
}  // namespace dp::test::queryable_test
