/**
 * The words of an error. A connection that is refused by a name with several addresses is an AggregateError
 * without words of its own.
 */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(errorText).join('; ');
  return error instanceof Error ? error.message : String(error);
}
