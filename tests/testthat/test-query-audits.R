skip_if_not_installed("dplyr", "1.0.10")

enable_features("contrib", "honest-but-curious")

test_audits(query_audits())
