# Former names of constructors: they check their feature, then warn with the new name.
deprecate_name <- function(former, today) {
  assert_features("contrib")
  .Deprecated(today, msg = paste0(former, "() is deprecated. Use ", today, "() instead."))
}
