// Treatment of rows that lack a value of a column.
#pragma once

namespace dp {

enum class Gaps { dropped, imputed };

}  // namespace dp
