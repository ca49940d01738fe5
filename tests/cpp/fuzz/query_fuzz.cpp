// Arbitrary bytes as the JSON of a query. An accepted query has one spelling, which reads back as
// the same query.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/query/query_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using dp::query::query_from_json;
  using dp::query::query_to_json;
  try {
    const dp::query::QueryJsonLimits limits;
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const std::string written = query_to_json(query_from_json(text, limits));
    if (query_to_json(query_from_json(written, dp::query::kLocalQueryJson)) != written) {
      throw std::logic_error("a query with two spellings");
    }
  } catch (const dp::Error&) {
  }
  return 0;
}
