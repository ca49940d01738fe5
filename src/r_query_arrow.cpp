#include "r_query_arrow.h"

#include "core/error.h"
#include "core/query/arrow.h"
#include "r_query_rows.h"

namespace dp::r {
namespace {

ArrowArrayStream* stream_from_r(SEXP stream) {
  const bool pointer = TYPEOF(stream) == EXTPTRSXP && Rf_inherits(stream, "nanoarrow_array_stream");
  auto* found = pointer ? static_cast<ArrowArrayStream*>(R_ExternalPtrAddr(stream)) : nullptr;
  if (found == nullptr || found->release == nullptr) {
    throw Error(ErrorKind::source, "the Arrow stream was read before, or released.");
  }
  return found;
}

}  // namespace

std::vector<std::string> arrow_kinds_from_r(SEXP stream, const std::vector<std::string>& names) {
  ArrowArrayStream* found = stream_from_r(stream);
  query::ArrowHeld<ArrowSchema> schema;
  if (found->get_schema(found, &schema.value) != 0) {
    schema.value.release = nullptr;
    throw Error(ErrorKind::source, "the Arrow stream does not say what its columns are.");
  }
  std::vector<std::string> kinds;
  const query::ArrowColumns columns(schema.value, names);
  const query::QueryRows none = columns.rows(columns.none());
  const std::vector<bool> moments = columns.moments();
  for (std::size_t c = 0; c < moments.size(); ++c) {
    kinds.emplace_back(moments[c] ? "moment" : name_of_kind(none.columns()[c].kind));
  }
  return kinds;
}

query::ExactAggregates tally_arrow(SEXP stream,
                                   const query::Statement& statement,
                                   const std::vector<query::ExactAggregate>& tallies,
                                   const query::Salt& salt) {
  query::ArrowStream batches(stream_from_r(stream), columns_of_source(statement.source));
  return query::tally_stream(
      statement, tallies, [&] { return batches.next(); }, salt);
}

}  // namespace dp::r
