# Checks the limit of dp_n_dropped().

check_up_to <- function(fun, up_to, call) {
  if (fun != "dp_n_dropped") {
    return(NULL)
  }
  if (is.null(up_to)) {
    stop_argument("the most dropped rows to count per person, such as 50", "left out", "up_to",
      call
    )
  }
  as.integer(check_whole(up_to, min = 1, max = .Machine$integer.max, arg = "up_to", call = call))
}
