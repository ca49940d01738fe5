library(testthat)
library(PSIlence)

test_check("PSIlence")
