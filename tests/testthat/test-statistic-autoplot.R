test_that("every form of a result has ggplots with its own table and labels", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (form in result_forms()) {
    for (what in form$pictures) {
      shown <- picture(form$result, what, NULL)
      plot <- ggplot2::autoplot(form$result, what)
      expect_s3_class(plot, "ggplot")
      expect_equal(plot$labels$title, paste("Private", attr(form$result, "about")$name))
      expect_equal(plot$labels$x, shown$xlab)
      expect_match(plot$labels$caption, if (is.null(form$result$rho)) "epsilon" else "rho")
      drawn <- ggplot2::ggplot_build(plot)$data[[1]]
      expect_equal(nrow(drawn), nrow(shown$table))
    }
    if (form$rows > 0) expect_s3_class(ggplot2::autoplot(form$statistic), "ggplot")
  }
})

test_that("bars show the counts, and error bars the intervals", {
  result <- released(histogram_of(rng = c(0, 16), nBins = 4))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(result))$data
  table <- as.data.frame(result)
  expect_equal(built[[1]]$y, table$estimate)
  expect_equal(built[[2]]$ymin, table$conf.low)
  expect_equal(built[[2]]$ymax, table$conf.high)
})

test_that("points show the estimates, and panels have separate scales", {
  result <- released(dpCovariance(
    "mechanismLaplace", "numeric", 10000, c("educ", "age"), list(c(1, 16), c(18, 93)),
    globalEps = 1
  ))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(result))
  table <- as.data.frame(result)
  expect_equal(built$data[[1]]$x, table$estimate)
  expect_equal(built$data[[2]]$xmin, table$conf.low)
  expect_equal(built$layout$layout$term, factor(table$term, table$term), ignore_attr = TRUE)
  expect_length(built$layout$panel_scales_x, 3)
})

test_that("titles and labels can be set, and other plots selected", {
  tree <- released(dpTree("numeric", "age", 10000, 3, c(0, 128), globalEps = 1))
  plot <- ggplot2::autoplot(tree, "tree", main = "Ages", xlab = "years")
  expect_equal(plot$labels$title, "Ages")
  expect_equal(plot$labels$x, "years")
  expect_s3_class(plot$layers[[1]]$geom, "GeomRect")
  expect_refused(ggplot2::autoplot(tree, "pie"), "what")
  expect_refused(ggplot2::autoplot(mean_of()), "x")
})
