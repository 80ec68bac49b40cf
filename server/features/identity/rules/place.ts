/**
 * The part of a network address that says which provider or house a person is at, as they may recognize it:
 * `203.0.113.*`, or the first 48 bits of the newer kind. Empty where there is none.
 */
export function placeOf(address: string): string {
  const old = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address);
  if (old !== null) return `${old[1]}.*`;
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):/i.exec(address);
  return groups === null ? '' : `${groups[1]}::`;
}
