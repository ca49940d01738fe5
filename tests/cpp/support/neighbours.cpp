#include "support/neighbours.h"

namespace dp::test {

DP_TEST_ALL_ROWS()

}  // namespace dp::test
