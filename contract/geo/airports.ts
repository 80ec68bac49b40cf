/** Whether an address contains the word airport, in English or Chinese. */
export function isAirport(at: { name: string; detail: string }): boolean {
  return /airport|机场|機場/i.test(`${at.name} ${at.detail}`);
}
