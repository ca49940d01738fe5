# Runs the tests of private tables in Spark against a Spark of yours.
#
#   Rscript tools/check-spark.R MASTER [--home=FOLDER] [--method=METHOD] [--tables=N] [NAME=VALUE]
#
#   Rscript tools/check-spark.R spark://host:7077 --home=/opt/spark spark.executor.memory=2g
#   Rscript tools/check-spark.R yarn --tables=200
#   Rscript tools/check-spark.R https://adb-1.azuredatabricks.net --method=databricks_connect
#
# NAME=VALUE, any number of them, are settings of sparklyr::spark_config(). SPARK_HOME stands where
# --home is not given. Packages PSIlence, sparklyr, testthat and dplyr must be installed. The tests
# make tables in the default schema (stays, named, hostile, counted, times, quoted, replaced, kinds,
# lines, padded, gone) and in one called web (logs), which they replace, and leave there; tests of
# files and processes of this machine are left out.
args <- commandArgs(TRUE)
options <- grep("^--(home|method|tables)=", args, value = TRUE)
settings <- grep("^[^-=][^=]*=", args, value = TRUE)
master <- setdiff(args, c(options, settings))
if (length(master) != 1 || startsWith(master, "-")) {
  writeLines(sub("^# ?", "", grep("^#", readLines("tools/check-spark.R"), value = TRUE)))
  quit(status = 2)
}
option <- function(name) sub("^[^=]*=", "", grep(paste0("^--", name, "="), options, value = TRUE))

Sys.setenv(
  PSILENCE_SPARK_MASTER = master, PSILENCE_SPARK_SETTINGS = paste(settings, collapse = "\n"),
  NOT_CRAN = "true"
)
if (length(option("home")) > 0) Sys.setenv(SPARK_HOME = option("home"))
if (length(option("method")) > 0) Sys.setenv(PSILENCE_SPARK_METHOD = option("method"))
if (length(option("tables")) > 0) Sys.setenv(PSILENCE_ENGINE_TABLES = option("tables"))

testthat::test_dir("tests/testthat",
  filter = "^source-spark$", package = "PSIlence", load_package = "installed",
  stop_on_failure = TRUE
)
