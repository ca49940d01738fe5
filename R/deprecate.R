# Former names of constructors: gated like all others, then a warning that says what to use.
deprecate_name <- function(former, today) {
  assert_features("contrib")
  .Deprecated(today, msg = paste0(former, "() is deprecated. Use ", today, "() instead."))
}
