#include "core/query/table_cells.h"

#include "core/limits.h"
#include "core/numeric/int128.h"
#include "core/query/lowered.h"

namespace dp::query {

std::optional<std::uint64_t> number_of_cells(const Field& field) {
  if (field.type == FieldType::levels) return field.levels.size();
  if (field.type == FieldType::logical) return 2;
  if (field.type != FieldType::integer || !field.wholes) return {};
  const auto [least, most] = *field.wholes;
  return static_cast<std::uint64_t>(int128_t{most} - least + 1);
}

std::vector<std::optional<std::string>> labels_of_cells(const Field& field) {
  const std::optional<std::uint64_t> cells = number_of_cells(field);
  std::vector<std::optional<std::string>> labels;
  if (!cells || *cells > limits::kCells) return labels;
  if (field.type == FieldType::logical) return {"FALSE", "TRUE"};
  for (std::uint64_t i = 0; i < *cells; ++i) {
    const bool is_level = field.type == FieldType::levels;
    const std::int64_t place = static_cast<std::int64_t>(i) + (is_level ? 0 : field.wholes->first);
    const bool is_missing =
        field.missing_key == place || (is_level && field.levels[i] == kMissingLevel);
    if (is_missing) {
      labels.emplace_back();
    } else {
      labels.emplace_back(is_level ? field.levels[i] : std::to_string(place));
    }
  }
  return labels;
}

}  // namespace dp::query
