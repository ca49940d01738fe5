# `make demo` and `make test` install what is missing and then do what they say; both can be run
# again. All that is built goes below build/.

help: # Say what there is
	@grep -E '^[a-z-]+:.*#' Makefile | sed -E 's/^([a-z-]+):[^#]*# (.*)/make \1\t\2/' | expand -t 28

demo: # Install what is missing, then show what the package does
	@tools/setup.sh run
	@tools/install.sh --vignettes
	@. tools/env.sh && mkdir -p "$$build/demo" && cd "$$build/demo" && Rscript --vanilla -e \
	  'demo("psilence", package = "PSIlence", ask = FALSE, echo = FALSE)'

test: # Install what is missing, then run every test (quick tier; with Spark if SPARK=yes)
	@tools/setup.sh core
	@tools/test.sh

test-long: # Install what is missing, then run the long tier of the tests: hours
	@tools/setup.sh long
	@tools/setup.sh platforms
	@tools/test-long.sh

core-test: # Test the C++ core alone, file by file, under the sanitizers
	@tools/setup.sh core
	@tools/test-core.sh

core-test-threads: # Test the C++ core alone, under the race detector
	@tools/setup.sh core
	@tools/test-core.sh --core-threads

core-test-long: # Test the C++ core with the long statistical tier
	@tools/setup.sh test
	@tools/check-proofs.sh
	@tools/test-core.sh --core-long

fuzz: # Fuzz what reads ledgers, receipts and Arrow data, for a quarter of an hour
	@tools/setup.sh test
	@tools/setup.sh platforms
	@tools/fuzz.sh

replay-test: # Replay known bytes into the package as g++ and clang make it, at -O0, -O2 and -O3
	@tools/setup.sh test
	@tools/setup.sh platforms
	@tools/check-replay.sh

core-test-platforms: # Test the C++ core on Windows (Wine), libc++ and ARM (QEMU)
	@tools/setup.sh platforms
	@tools/check-platforms.sh

r-test: # Install the package and run its R tests; FILES="ledger json" runs two files
	@tools/setup.sh test
	@tools/install.sh
	@tools/test-r.sh $(FILES)

spark-test: # Install the package and run its tests in a real Spark
	@tools/setup.sh spark
	@tools/install.sh
	@tools/test-r.sh --newer --minutes=20

audit-power: # Measure how little excess of loss the audits of the R tests notice
	@tools/setup.sh test
	@tools/install.sh
	@. tools/env.sh && Rscript --vanilla tools/audit-power.R

check: # R CMD check --as-cran
	@tools/setup.sh test
	@tools/check.sh

site: # Build the site of all help pages and articles in build/site
	@tools/setup.sh site
	@tools/install.sh
	@. tools/env.sh && Rscript --vanilla tools/site.R

articles: # Run the articles and the code of README.md
	@tools/setup.sh test
	@tools/install.sh
	@tools/check-articles.sh

document: # Rewrite units, RcppExports, NAMESPACE and man
	@tools/setup.sh test
	@tools/document.sh

format: # Format the C++ files
	@tools/setup.sh test
	@. tools/env.sh && Rscript --vanilla tools/check-code.R format --write

lint: # Check the style of code, layers, spelling and the sentences of texts that you changed
	@tools/setup.sh test
	@. tools/env.sh && Rscript --vanilla tools/check-layers.R
	@. tools/env.sh && Rscript --vanilla tools/check-texts.R
	@. tools/env.sh && Rscript --vanilla tools/check-code.R

bench: # Run the benchmarks, and write benchmarks/README.md
	@tools/setup.sh bench
	@tools/install.sh
	@tools/bench.sh

clean: # Remove all that was built
	rm -rf build

.PHONY: help demo test test-long core-test core-test-threads core-test-long fuzz replay-test core-test-platforms r-test spark-test audit-power check site articles document format lint bench clean
