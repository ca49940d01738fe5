#include "core/engine/stage.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace dp {
namespace {

// 1 MiB of doubles: large enough to amortise a partial, small enough that one slow core does not
// decide when the last range ends.
constexpr std::size_t kReducerRows = std::size_t{1} << 17;

}  // namespace

void Partial::merge(Partial&&) { throw std::logic_error("these parts are joined by finish()."); }

std::vector<std::size_t> Reducer::cuts(std::size_t size) const {
  std::vector<std::size_t> ends;
  ends.reserve(size / kReducerRows + 1);
  for (std::size_t begin = 0; begin < size; begin += kReducerRows) {
    ends.push_back(std::min(begin + kReducerRows, size));
  }
  return ends;
}

std::shared_ptr<const Reducer> Reducer::fuse(const RowOperator&) const { return nullptr; }

std::shared_ptr<const Reducer> Reducer::over_codes(const CodedText&) const { return nullptr; }

std::shared_ptr<const Reducer> Reducer::in_any_order() const { return nullptr; }

std::shared_ptr<const Reducer> Reducer::for_pass() const { return nullptr; }

std::unique_ptr<Partial> Reducer::merged(std::vector<std::unique_ptr<Partial>> parts) const {
  if (parts.empty()) return start(0);
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0]->merge(std::move(*parts[i]));
  return std::move(parts[0]);
}

bool WholeStage::passes(std::size_t) const { return false; }

bool WholeStage::streams() const { return false; }

bool WholeStage::takes_any_order() const { return false; }

}  // namespace dp
