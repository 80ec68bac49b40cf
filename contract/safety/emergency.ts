/** Emergency numbers by prefix of the place's IANA time zone; the longest match wins. */
const numbers: readonly (readonly [zone: string, number: string])[] = [
  ['America/', '911'],
  ['US/', '911'],
  ['Canada/', '911'],
  ['Pacific/Honolulu', '911'],
  ['Pacific/Guam', '911'],
  ['America/Sao_Paulo', '190'],
  ['America/Santiago', '133'],
  ['Asia/Shanghai', '110'],
  ['Asia/Urumqi', '110'],
  ['Asia/Taipei', '110'],
  ['Asia/Hong_Kong', '999'],
  ['Asia/Macau', '999'],
  ['Asia/Singapore', '999'],
  ['Asia/Kuala_Lumpur', '999'],
  ['Asia/Tokyo', '110'],
  ['Asia/Seoul', '112'],
  ['Europe/London', '999'],
  ['Australia/', '000'],
  ['Pacific/Auckland', '111'],
];

/** The emergency number at a place. Elsewhere 112, which nearly all mobile networks connect. */
export function emergencyNumberOf(timeZone: string): string {
  const fitting = numbers.filter(([zone]) => timeZone.startsWith(zone));
  return fitting.toSorted(([a], [b]) => b.length - a.length)[0]?.[1] ?? '112';
}
