#include "core/query/same_expression.h"

#include <algorithm>

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

bool is_same(const Tally& a, const Tally& b) {
  return a.kind == b.kind && is_same(a.of, b.of) && a.grid == b.grid &&
         same_lattice(a.quantiser, b.quantiser) && is_same(a.weights.of, b.weights.of) &&
         a.up_to == b.up_to && same_lattice(a.weights.points, b.weights.points);
}

}  // namespace dp::query
