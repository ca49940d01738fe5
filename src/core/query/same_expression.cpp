#include "core/query/same_expression.h"

#include <algorithm>
#include <functional>
#include <string>

namespace dp::query {
namespace {

bool is_same_node(const ColumnReference& a, const ColumnReference& b) { return a.name == b.name; }

bool is_same_node(const Literal& a, const Literal& b) {
  return a.is_date == b.is_date && a.value == b.value;
}

bool is_same_node(const Call& a, const Call& b) {
  return a.op == b.op &&
         std::equal(a.args.begin(),
                    a.args.end(),
                    b.args.begin(),
                    b.args.end(),
                    [](const ExpressionPtr& x, const ExpressionPtr& y) { return is_same(x, y); });
}

template <class T>
std::size_t mixed(std::size_t hash, const T& value) {
  constexpr auto kGolden = static_cast<std::size_t>(0x9e3779b97f4a7c15ULL);
  return (hash ^ std::hash<T>{}(value)) * kGolden + (hash >> 29);
}

struct LiteralHash {
  std::size_t operator()(std::monostate) const { return 0; }
  template <class T>
  std::size_t operator()(const T& value) const {
    return std::hash<T>{}(value);
  }
};

std::size_t hash_of_node(const ColumnReference& column) {
  return mixed<std::string>(1, column.name);
}

std::size_t hash_of_node(const Literal& literal) {
  return mixed(mixed(2, literal.is_date), std::visit(LiteralHash{}, literal.value));
}

std::size_t hash_of_node(const Call& call) {
  std::size_t hash = mixed<std::string>(3, call.op);
  for (const ExpressionPtr& arg : call.args) hash = mixed(hash, hash_of(arg));
  return hash;
}

}  // namespace

bool is_same(const ExpressionPtr& a, const ExpressionPtr& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  return std::visit(
      [&](const auto& node) {
        const auto* other = std::get_if<std::decay_t<decltype(node)>>(&b->node());
        return other != nullptr && is_same_node(node, *other);
      },
      a->node());
}

bool same_lattice(const Quantiser& q, const Quantiser& r) {
  return q.exponent == r.exponent && q.lower == r.lower && q.upper == r.upper &&
         q.least == r.least && q.most == r.most && q.offset == r.offset && q.fill == r.fill;
}

bool is_same(const ExactAggregate& a, const ExactAggregate& b) {
  return a.kind == b.kind && is_same(a.of, b.of) && a.grid == b.grid &&
         same_lattice(a.quantiser, b.quantiser) && is_same(a.weights.of, b.weights.of) &&
         a.up_to == b.up_to && same_lattice(a.weights.points, b.weights.points);
}

std::size_t hash_of(const ExpressionPtr& expression) {
  if (expression == nullptr) return 0;
  return std::visit([](const auto& node) { return hash_of_node(node); }, expression->node());
}

std::size_t hash_of(const ExactAggregate& tally) {
  const Quantiser& q = tally.quantiser;
  std::size_t hash = mixed(hash_of(tally.of), static_cast<std::size_t>(tally.kind));
  hash = mixed(mixed(mixed(hash, q.exponent), q.least), q.most);
  for (const std::int64_t point : tally.grid) hash = mixed(hash, point);
  hash = mixed(mixed(hash, hash_of(tally.weights.of)), tally.up_to);
  return hash;
}

}  // namespace dp::query
