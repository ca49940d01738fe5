# Rebuilds data/SocrataWhiteHouseEmployeeSalaries.rda. Run from the package's root:
#   Rscript data-raw/SocrataWhiteHouseEmployeeSalaries.R

source("data-raw/synthesize_socrata.R")
source("data-raw/socrata_titles.R")

SocrataWhiteHouseEmployeeSalaries <- synthesize_socrata("data-raw") # nolint: object_name_linter.

# Version 2 is readable by every R. Like every version, its header names the R that wrote it.
save(SocrataWhiteHouseEmployeeSalaries,
  file = "data/SocrataWhiteHouseEmployeeSalaries.rda", compress = "xz", version = 2
)
