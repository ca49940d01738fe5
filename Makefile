# `make demo` and `make test` install missing tools first. Everything is built below build/.

help: # List the targets
	@grep -E '^[a-z-]+:.*#' Makefile | sed -E 's/^([a-z-]+):[^#]*# (.*)/make \1\t\2/' | expand -t 18

demo: # Show what the package does
	@tools/setup.sh run
	@tools/install.sh --vignettes
	@. tools/env.sh && mkdir -p "$$build/demo" && cd "$$build/demo" && Rscript --vanilla -e \
	  'demo("psilence", package = "PSIlence", ask = FALSE, echo = FALSE)'

# make test PARTS='tree-layers tree-code' runs two parts; SPARK=yes adds Spark
test: # Run the quick tier of all tests (PARTS= some of its parts, SPARK=yes)
	@tools/setup.sh core
	@tools/test.sh

test-long: # Run the long tier of the tests: hours (PARTS= some of its parts)
	@tools/setup.sh core
	@tools/test-long.sh

PRESET = core
core-test: # Test the C++ core alone (PRESET= a preset of tests/cpp/CMakePresets.json)
	@tools/setup.sh core
	@tools/test-core.sh --$(PRESET)

r-test: # Install the package and run its R tests (FILES= such as "ledger json")
	@tools/setup.sh test
	@tools/install.sh
	@tools/test-r.sh $(FILES)

check: # Run R CMD check --as-cran
	@tools/setup.sh test
	@tools/check.sh

lint: # Check the style of code, layers, spelling and the sentences of texts that you changed
	@tools/setup.sh test
	@. tools/env.sh && Rscript --vanilla tools/check-layers.R
	@. tools/env.sh && Rscript --vanilla tools/check-texts.R
	@. tools/env.sh && Rscript --vanilla tools/check-code.R

format: # Format the C++ files
	@tools/setup.sh test
	@. tools/env.sh && Rscript --vanilla tools/check-code.R format --write

document: # Rewrite units, RcppExports, NAMESPACE and man
	@tools/setup.sh test
	@tools/document.sh

site: # Build the site of all help pages and articles in build/site
	@tools/setup.sh site
	@tools/install.sh
	@. tools/env.sh && Rscript --vanilla tools/site.R

bench: # Run the benchmarks, and write benchmarks/README.md
	@tools/setup.sh bench
	@tools/install.sh
	@benchmarks/run.sh

clean: # Remove everything that was built
	rm -rf build

.PHONY: help demo test test-long core-test r-test check lint format document site bench clean
