#include "core/engine/function.h"

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
  for (const Stage& stage : next.stages_) {
    const auto* reducer = std::get_if<std::shared_ptr<const Reducer>>(&stage);
    Stage last = stage;
    // A reducer may take over the operators before it, one at a time, from the last backwards.
    while (reducer != nullptr && !joined.stages_.empty()) {
      const auto* before = std::get_if<std::shared_ptr<const RowOperator>>(&joined.stages_.back());
      if (before == nullptr) break;
      auto fused = std::get<std::shared_ptr<const Reducer>>(last)->fuse(**before);
      if (fused == nullptr) break;
      last = Stage(std::move(fused));
      joined.stages_.pop_back();
    }
    joined.stages_.push_back(std::move(last));
  }
  return joined;
}

Function whole_function(std::function<Value(const Value&)> body) {
  return stage_function<Body>(std::move(body));
}

}  // namespace dp
