// Functions: lists of stages, composed by joining the lists, executed in as few passes as they
// allow.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/engine/stage.h"

namespace dp {

class Function {
 public:
  Function() = default;  // the identity
  explicit Function(Stage stage) : stages_{std::move(stage)} {}

  Value operator()(const Value& value) const;

  // The function that does this one first and then `next`.
  Function then(const Function& next) const;

  const std::vector<Stage>& stages() const { return stages_; }

 private:
  std::vector<Stage> stages_;
};

// A function of one whole-data stage with the given body.
Function whole_function(std::function<Value(const Value&)> body);

// `function` for values of unknown type, such as a release: throws as check_arg() does
// (membership.h). Without this check, stages would misread memory.
Function on_carrier(Domain domain, const Function& function);

// A function of one stage. Hundreds of types are stages. The function owns a stage by its base
// class, because each owner type would add reference counting code.
Function one_stage(std::unique_ptr<const RowOperator> stage);
Function one_stage(std::unique_ptr<const Reducer> stage);
Function one_stage(std::unique_ptr<const WholeStage> stage);

template <class S, class... Args>
Function row_function(Args&&... args) {
  return one_stage(std::unique_ptr<const RowOperator>(new S(std::forward<Args>(args)...)));
}
template <class S, class... Args>
Function reduce_function(Args&&... args) {
  return one_stage(std::unique_ptr<const Reducer>(new S(std::forward<Args>(args)...)));
}
template <class S, class... Args>
Function stage_function(Args&&... args) {
  return one_stage(std::unique_ptr<const WholeStage>(new S(std::forward<Args>(args)...)));
}

}  // namespace dp
