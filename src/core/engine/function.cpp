#include "core/engine/function.h"

#include "core/data/membership.h"
#include "core/engine/execute.h"

namespace dp {
namespace {

class Body final : public WholeStage {
 public:
  explicit Body(std::function<Value(const Value&)> body) : body_(std::move(body)) {}
  Value run(const Value& value) const override { return body_(value); }

 private:
  std::function<Value(const Value&)> body_;
};

}  // namespace

Value Function::operator()(const Value& value) const { return execute(stages_, value); }

Function Function::then(const Function& next) const {
  Function joined = *this;
  joined.stages_.insert(joined.stages_.end(), next.stages_.begin(), next.stages_.end());
  return joined;
}

Function one_stage(std::unique_ptr<const RowOperator> stage) {
  return Function(Stage(std::shared_ptr<const RowOperator>(std::move(stage))));
}

Function one_stage(std::unique_ptr<const Reducer> stage) {
  return Function(Stage(std::shared_ptr<const Reducer>(std::move(stage))));
}

Function one_stage(std::unique_ptr<const WholeStage> stage) {
  return Function(Stage(std::shared_ptr<const WholeStage>(std::move(stage))));
}

Function whole_function(std::function<Value(const Value&)> body) {
  return stage_function<Body>(std::move(body));
}

Function on_carrier(Domain domain, const Function& function) {
  const Function check = whole_function([domain = std::move(domain)](const Value& value) {
    check_arg(value, domain);
    return value;
  });
  return check.then(function);
}

}  // namespace dp
