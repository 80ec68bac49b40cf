/** The signature fields of every call. */
export const signed = (input: Readonly<Record<string, unknown>>, nowMs: number): Record<string, unknown> => ({
  ...input,
  signTime: nowMs,
  sign: '',
});

/** The address of a read: its path, and its input as search parameters. */
export function readAddress(path: string, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && value !== null)
      query.set(
        name,
        typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`,
      );
  }
  return `${path}?${query.toString()}`;
}
