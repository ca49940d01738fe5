#include "core/data/map.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/data/text_order.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

// All of the cells, none null. Text stays valid as long as `buffer`.
template <class T>
std::vector<Element<T>> cells_of(const Column& rows, BatchBuffer& buffer) {
  std::vector<Element<T>> cells;
  cells.reserve(rows.size());
  BatchBuffer block_buffer;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    check_interrupt();
    block_buffer.clear_text();
    const Batch batch = rows.read(begin, std::min(kBatchRows, rows.size() - begin), block_buffer);
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (batch.valid != nullptr && batch.valid[i] == 0) refuse_nonmember();
      if constexpr (std::is_same_v<T, std::string>) {
        cells.push_back(buffer.keep(std::string(batch.as<T>()[i])));
      } else {
        cells.push_back(batch.as<T>()[i]);
      }
    }
  }
  return cells;
}

template <class T>
ColumnPtr arranged(AtomType type,
                   const std::vector<Element<T>>& cells,
                   const std::vector<std::size_t>& order) {
  auto rows = std::make_shared<OwnedColumn<T>>(type, cells.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if constexpr (std::is_same_v<T, std::string>) {
      rows->cells()[i] = rows->keep(std::string(cells[order[i]]));
    } else {
      rows->cells()[i] = cells[order[i]];
    }
  }
  return rows;
}

template <class K>
std::vector<std::size_t> order_of(const std::vector<Element<K>>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if constexpr (std::is_same_v<K, std::string>) {
    order = order_of_texts(keys);
  } else {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return keys[a] < keys[b];
    });
  }
  // Values, as some libraries cannot compare two references into a vector<bool>.
  const auto same = [&](std::size_t a, std::size_t b) {
    return Element<K>(keys[a]) == Element<K>(keys[b]);
  };
  if (std::adjacent_find(order.begin(), order.end(), same) != order.end()) refuse_nonmember();
  return order;
}

}  // namespace

MapPtr sorted_map(const Column& keys, const Column& values) {
  if (!is_hashable(keys.type())) detail::refuse_type(keys.type(), "integers, bool and String");
  if (keys.size() != values.size()) refuse_nonmember();
  auto map = std::make_shared<Map>();
  std::vector<std::size_t> order;
  visit_atom(keys.type(), [&](auto tag) {
    using K = typename decltype(tag)::type;
    BatchBuffer text;
    const auto cells = cells_of<K>(keys, text);
    order = order_of<K>(cells);
    map->keys = arranged<K>(keys.type(), cells, order);
  });
  visit_atom(values.type(), [&](auto tag) {
    using V = typename decltype(tag)::type;
    BatchBuffer text;
    map->values = arranged<V>(values.type(), cells_of<V>(values, text), order);
  });
  return map;
}

}  // namespace dp
