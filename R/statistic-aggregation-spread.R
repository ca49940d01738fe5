# Spreads aggregators and schemes into the arguments of dpSampleAndAggregate().

# Replaces the object of each choice by its name and arguments. These must be at their `defaults`,
# otherwise there would be two values.
spread_choices <- function(args, defaults, call) {
  for (argument in names(args)) {
    choice <- args[[argument]]
    if (!inherits(choice, "dp_choice") || !identical(choice$argument, argument)) next
    for (option in names(choice$options)) {
      if (!identical(args[[option]], eval(defaults[[option]], baseenv()))) {
        stop_argument(paste0("left out: `", argument, "` says it"), "given", option, call)
      }
    }
    args[names(choice$options)] <- choice$options
    args[[argument]] <- choice$name
  }
  args
}
