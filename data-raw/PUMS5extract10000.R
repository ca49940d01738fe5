# Rebuilds data/PUMS5extract10000.rda. Run from the package's root:
#   Rscript data-raw/PUMS5extract10000.R

source("data-raw/synthesize_pums.R")
source("data-raw/pums_income.R")
source("data-raw/pums_area.R")

PUMS5extract10000 <- synthesize_pums("data-raw") # nolint: object_name_linter.

# Version 2 is readable by every R. Like every version, its header names the R that wrote it.
save(PUMS5extract10000, file = "data/PUMS5extract10000.rda", compress = "xz", version = 2)
