/** The Census abbreviates what OpenStreetMap spells out: `E Cliff Dr` is East Cliff Drive. */
const TYPES: Record<string, string> = {
  Aly: 'Alley',
  Ave: 'Avenue',
  Blvd: 'Boulevard',
  Cir: 'Circle',
  Cres: 'Crescent',
  Ct: 'Court',
  Cv: 'Cove',
  Dr: 'Drive',
  Expy: 'Expressway',
  Fwy: 'Freeway',
  Grd: 'Grade',
  Grv: 'Grove',
  Hl: 'Hill',
  Hls: 'Hills',
  Holw: 'Hollow',
  Hts: 'Heights',
  Hwy: 'Highway',
  Ln: 'Lane',
  Mnr: 'Manor',
  Mtn: 'Mountain',
  Pkwy: 'Parkway',
  Pl: 'Place',
  Plz: 'Plaza',
  Pt: 'Point',
  Rd: 'Road',
  Rdg: 'Ridge',
  Rte: 'Route',
  Sq: 'Square',
  St: 'Street',
  Ter: 'Terrace',
  Tr: 'Trail',
  Trl: 'Trail',
  Xing: 'Crossing',
};
const DIRECTIONS: Record<string, string> = { N: 'North', S: 'South', E: 'East', W: 'West' };

/** A street name spelled out: the type at its end (before a direction), directions at either end. */
export function spellOutStreet(name: string): string {
  const words = name.trim().split(/\s+/);
  if (words.length < 2) return words.join(' ');
  const last = words.length - 1;
  words[0] = DIRECTIONS[words[0]!] ?? words[0]!;
  const direction = DIRECTIONS[words[last]!];
  if (direction) words[last] = direction;
  const type = direction && last > 1 ? last - 1 : last;
  words[type] = TYPES[words[type]!] ?? words[type]!;
  // "State Hwy 17", "US Hwy 1": the type comes before the number.
  return words.map((word, i) => (i > 0 && (word === 'Hwy' || word === 'Rte') ? TYPES[word] : word)).join(' ');
}
