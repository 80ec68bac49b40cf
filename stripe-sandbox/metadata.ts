/** The API's way to change metadata: names given are set, an empty value takes a name away, others stay. */
export const mergeMetadata = (
  kept: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...kept, ...added }).filter(([, value]) => value !== ''));
