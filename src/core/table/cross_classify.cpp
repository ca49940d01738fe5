#include "core/table/cross_classify.h"

#include <cmath>
#include <memory>

#include "core/data/frame.h"
#include "core/error.h"
#include "core/table/each_cell.h"
#include "core/transformations/stability.h"

namespace dp {
namespace {

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 53;

std::uint64_t number_of_cells(const std::vector<std::string>& variables,
                              const std::vector<std::uint64_t>& sizes) {
  if (variables.empty() || variables.size() != sizes.size())
    throw Error(ErrorKind::make_transformation, "each variable must have a size.");
  std::uint64_t cells = 1;
  for (const std::uint64_t size : sizes) {
    if (size == 0 || size > kMostCells / cells)
      throw Error(ErrorKind::make_transformation, "there must be from 1 to 2^53 cells.");
    cells *= size;
  }
  return cells;
}

struct Layout {
  std::vector<std::string> variables;
  std::vector<std::uint64_t> sizes;
  std::uint64_t cells;
};

ColumnPtr cells_of_rows(const Frame& frame, const Layout& table, std::uint64_t n) {
  const std::uint64_t none = table.cells;
  auto cells = std::make_shared<OwnedColumn<std::uint64_t>>(AtomType::usize, n);
  std::uint64_t step = 1;
  for (std::size_t i = 0; i < table.sizes.size(); ++i) {
    const ColumnPtr places = frame.column(Scalar(table.variables[i]), AtomType::f64);
    if (places->size() != n) refuse_nonmember();
    const double size = static_cast<double>(table.sizes[i]);
    each_cell<double>(*places, [&](double x, std::size_t row) {
      std::uint64_t& cell = cells->cells()[row];
      const bool is_place = x >= 0 && x < size && x == std::floor(x);
      cell = is_place && cell < none ? cell + step * static_cast<std::uint64_t>(x) : none;
    });
    step *= table.sizes[i];
  }
  return cells;
}

}  // namespace

Transformation make_cross_classify(const std::vector<std::string>& variables,
                                   const std::vector<std::uint64_t>& sizes,
                                   std::uint64_t n) {
  const Layout table{variables, sizes, number_of_cells(variables, sizes)};
  const Metric metric = change_one_distance();
  return Transformation(DataFrameDomain{AtomType::string},
                        metric,
                        vector_of(default_atom(AtomType::usize), n),
                        metric,
                        whole_function([table, n](const Value& arg) -> Value {
                          return cells_of_rows(*frame_in(arg), table, n);
                        }),
                        constant_map(metric, 1));
}

}  // namespace dp
