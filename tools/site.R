# Builds the site of the installed package in the folder that is named, as if from nothing.
folder <- normalizePath(commandArgs(TRUE)[[1]], mustWork = FALSE)
unlink(folder, recursive = TRUE)
options(pkgdown.internet = FALSE) # no page depends on what a server says
site <- pkgdown::as_pkgdown(".", override = list(destination = folder))
warnings <- character()
withCallingHandlers(
  pkgdown::build_site(site, install = FALSE, preview = FALSE, new_process = FALSE, devel = FALSE),
  warning = function(w) warnings <<- c(warnings, conditionMessage(w))
)
if (length(warnings)) {
  cat("Warnings:\n")
  writeLines(warnings)
  quit(status = 1)
}
