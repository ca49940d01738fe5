# Tables of a real Spark. A package that is built has no such tests: they take sparklyr and a Spark.

test_engine("Spark, ANSI on,", function(env) local_spark(TRUE, env))
test_engine("Spark, ANSI off,", function(env) local_spark(FALSE, env))

