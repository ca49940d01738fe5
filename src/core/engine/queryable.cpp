#include "core/engine/queryable.h"

#include <utility>

#include "core/platform.h"

namespace dp {
namespace {

// The locks that are in force on this thread, the outermost first.
std::vector<QueryLockPtr>& locks_in_force() {
  static const PerThread<std::vector<QueryLockPtr>> locks;
  return locks();
}

[[noreturn]] void refuse(const std::string& sentence) {
  throw Error(ErrorKind::failed_function, sentence);
}

class TransitionQueryable final : public Queryable {
 public:
  TransitionQueryable(std::function<Value(const Value&)> transition, std::string query_type)
      : transition_(std::move(transition)), query_type_(std::move(query_type)) {}

  std::string query_type() const override { return query_type_; }

 private:
  Value answer(const Value& query) override { return transition_(query); }

  std::function<Value(const Value&)> transition_;
  std::string query_type_;
};

}  // namespace

void QueryLock::check() const {
  if (closed_) refuse(refusal_);
}

ScopedQueryLock::ScopedQueryLock(QueryLockPtr lock) { locks_in_force().push_back(std::move(lock)); }

ScopedQueryLock::~ScopedQueryLock() { locks_in_force().pop_back(); }

Queryable::Queryable() : locks_(locks_in_force()), process_(process_id()) {}

Value Queryable::ask(const Value& query) {
  return guarded([&] { return answer(query); });
}

Queryable::Turn::Turn(Queryable& queryable)
    : queryable_(queryable), outer_(locks_in_force().size()) {
  if (queryable.process_ != process_id()) {
    throw Error(ErrorKind::stale_object,
                "stale object: a queryable answers only in the process that made it.");
  }
  if (queryable.answering_) refuse("a queryable may only execute one query at a time");
  for (const QueryLockPtr& lock : queryable.locks_) lock->check();
  std::vector<QueryLockPtr>& in_force = locks_in_force();
  in_force.insert(in_force.end(), queryable.locks_.begin(), queryable.locks_.end());
  queryable_.answering_ = true;
}

Queryable::Turn::~Turn() {
  queryable_.answering_ = false;
  locks_in_force().resize(outer_);
}

QueryablePtr make_queryable(std::function<Value(const Value& query)> transition,
                            std::string query_type) {
  return std::make_shared<TransitionQueryable>(std::move(transition), std::move(query_type));
}

Queryable& queryable_in(const Value& value) {
  const auto* queryable = value.as<QueryablePtr>();
  if (queryable == nullptr || *queryable == nullptr) {
    throw Error(ErrorKind::failed_cast, "the value must be a queryable.");
  }
  return **queryable;
}

}  // namespace dp
