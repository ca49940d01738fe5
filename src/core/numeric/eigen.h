// Eigen's linear algebra, with one result on every machine: without vectors, which add in another
// order, and with a product and a sum rounded each (numeric/unfused.h). Sources of the core include
// this, never Eigen.
#pragma once

#define EIGEN_DONT_VECTORIZE
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_MPL2_ONLY
#include <Eigen/Dense>
