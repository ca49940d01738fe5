#include "core/table/level_places.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string_view>

namespace dp {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ColumnPtr places_of_texts(const Column& texts, const std::vector<std::string>& levels) {
  std::map<std::string_view, double> places;
  for (std::size_t i = 0; i < levels.size(); ++i) places[levels[i]] = static_cast<double>(i);
  auto all = std::make_shared<OwnedColumn<double>>(AtomType::f64, texts.size());
  BatchBuffer buffer;
  for (std::size_t begin = 0; begin < texts.size(); begin += kBatchRows) {
    buffer.clear_text();
    const Batch batch = texts.read(begin, std::min(kBatchRows, texts.size() - begin), buffer);
    for (std::size_t i = 0; i < batch.size; ++i) {
      const bool there = batch.valid == nullptr || batch.valid[i] != 0;
      const auto at = there ? places.find(batch.as<std::string>()[i]) : places.end();
      all->cells()[begin + i] = at == places.end() ? kNone : at->second;
    }
  }
  return all;
}

}  // namespace dp
