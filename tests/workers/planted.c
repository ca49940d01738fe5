// A worker that calls R, which the gate of tools/check-workers.sh must stop.
#include <pthread.h>
#include <Rinternals.h>
static void *work(void *vector) { return (void *)(size_t)Rf_xlength((SEXP)vector); }
SEXP planted(SEXP vector) {
  pthread_t worker;
  pthread_create(&worker, 0, work, vector);
  pthread_join(worker, 0);
  return vector;
}
