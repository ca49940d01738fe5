# A column of a model: its number and its cells.

model_column <- function(name, numbers = character(), cells = character()) {
  list(name = name, numbers = numbers, cells = cells)
}
