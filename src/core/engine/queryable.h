// A release that keeps the data, answers queries about them, and remembers its answers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/data/value.h"

namespace dp {

// Closed once and for good by its owner; every queryable that carries it then refuses to answer.
class QueryLock {
 public:
  explicit QueryLock(std::string refusal) : refusal_(std::move(refusal)) {}
  void close() { closed_ = true; }
  // Throws failed_function, with the refusal, if it is closed.
  void check() const;

 private:
  std::string refusal_;
  bool closed_ = false;
};

using QueryLockPtr = std::shared_ptr<QueryLock>;

// While it lives, every queryable that this thread makes carries the lock: the children of a query
// that must be silent once the next query has come.
class ScopedQueryLock {
 public:
  explicit ScopedQueryLock(QueryLockPtr lock);
  ~ScopedQueryLock();
  ScopedQueryLock(const ScopedQueryLock&) = delete;
  ScopedQueryLock& operator=(const ScopedQueryLock&) = delete;
};

// For one thread, and for the process that made it: a fork gets a copy of the state, and two
// processes would spend one budget twice. Not copied.
//
// It keeps the locks that hold when it is made, and enforces them while it answers: a lock on it
// also locks its descendants.
class Queryable {
 public:
  Queryable();
  virtual ~Queryable() = default;
  Queryable(const Queryable&) = delete;
  Queryable& operator=(const Queryable&) = delete;

  // Throws failed_function if it is locked, or asked while it is answering; stale_object in another
  // process than that which made it; else whatever the answer throws.
  Value ask(const Value& query);

  // Descriptor of the type of queries: "AnyMeasurement" for compositors.
  virtual std::string query_type() const = 0;

 protected:
  virtual Value answer(const Value& query) = 0;

  // Runs `body` under the conditions of ask(), for other kinds of questions.
  template <class Body>
  auto guarded(Body&& body) {
    const Turn turn(*this);
    return body();
  }

 private:
  class Turn {
   public:
    explicit Turn(Queryable& queryable);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Queryable& queryable_;
    std::size_t outer_;  // how many locks were in force before
  };

  std::vector<QueryLockPtr> locks_;
  long process_;
  bool answering_ = false;
};

// A queryable that answers by calling `transition`, which keeps the state, if any. `query_type` is
// for display and is not tested.
QueryablePtr make_queryable(std::function<Value(const Value& query)> transition,
                            std::string query_type = "ExtrinsicObject");

// The queryable in `value`; failed_cast if it is anything else.
Queryable& queryable_in(const Value& value);

}  // namespace dp
