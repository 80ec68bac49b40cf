import type { ShownSetting } from '#contract/admin/operations.ts';

/**
 * The part of a setting that an admin may see: its value, an address without credentials, or only that it is
 * set.
 */
type Openness = 'open' | 'address' | 'secret';

/** A setting that is missing here does not compile. */
export type OpennessOf<Name extends string> = Readonly<Record<Name, Openness>>;

/** The source and value of a setting. */
export interface GivenSetting {
  /** The text that was given; null if none was. */
  given: string | null;
  source: ShownSetting['source'];
  /** The parsed value that the server uses. */
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

/** A default as the text that would set it. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Set) return [...value].join(',');
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(',');
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An address without credentials; null if it cannot be parsed. */
function withoutSecrets(written: string): string | null {
  const address = URL.parse(written);
  if (address === null) return null;
  const { protocol, host, pathname, username } = address;
  return `${protocol}//${username === '' ? '' : '…@'}${host}${pathname}${address.search === '' ? '' : '?…'}`;
}
