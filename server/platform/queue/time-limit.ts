/**
 * Whether a time is over since now, by the process's own clock. A round of a task that asks this between two
 * pages leaves the rest to the next one, and the database to others meanwhile.
 */
export function timeLimit(milliseconds: number): () => boolean {
  const until = performance.now() + milliseconds;
  return () => performance.now() >= until;
}
