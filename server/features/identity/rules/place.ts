/**
 * The prefix of a network address by which a person may recognize a network: `203.0.113.*`, or the first 48
 * bits of an IPv6 address. Empty if there is none.
 */
export function placeOf(address: string): string {
  const old = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address);
  if (old !== null) return `${old[1]}.*`;
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):/i.exec(address);
  return groups === null ? '' : `${groups[1]}::`;
}
