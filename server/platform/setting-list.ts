import type { ShownSetting } from '#contract/admin/operations.ts';

/**
 * What an admin may see of a setting: all of it, an address without who signs in there, or only that it is
 * set.
 */
type Openness = 'open' | 'address' | 'secret';

/** A setting that is missing here does not compile. */
export type OpennessOf<Name extends string> = Readonly<Record<Name, Openness>>;

/** How a setting came to its value. */
export interface GivenSetting {
  /** As it was written; null where it was not. */
  given: string | null;
  source: ShownSetting['source'];
  /** What the server works with, as it has read it. */
  value: unknown;
}

/** A setting as admins see it. */
export function shownSetting(
  name: string,
  openness: Openness,
  { given, source, value }: GivenSetting,
): ShownSetting {
  const isSecret = openness === 'secret';
  const written = given ?? textOf(value);
  if (written === null || isSecret) return { name, value: null, isSecret, source };
  return { name, value: openness === 'address' ? withoutSecrets(written) : written, isSecret, source };
}

/** A default, as it would be written. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Set) return [...value].join(',');
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(',');
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An address without what lets anyone in; of one that cannot be read, nothing. */
function withoutSecrets(written: string): string | null {
  const address = URL.parse(written);
  if (address === null) return null;
  const { protocol, host, pathname, username } = address;
  return `${protocol}//${username === '' ? '' : '…@'}${host}${pathname}${address.search === '' ? '' : '?…'}`;
}
