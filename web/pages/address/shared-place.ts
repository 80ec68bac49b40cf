import type { PageSearch } from '../../core/page-search.ts';

/** What another app hands over when its person shares something with Sameway. */
type Shared = PageSearch<'/pages/address/share'>;

/** What it is: an address of this app, a point of the map, or the name of a place in several spellings. */
export type SharedThing =
  | { kind: 'link'; path: string }
  | { kind: 'point'; lon: number; lat: number; name: string }
  | { kind: 'names'; names: string[] };

const mostNames = 4;
const longestName = 200;
const number = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
const pair = new RegExp(`^${number},\\s*${number}$`);
/** The parameters in which map services carry a point, and those with the name of a place. */
const pointParameters = ['q', 'query', 'll', 'destination', 'daddr', 'coordinate', 'center'];
const nameParameters = ['q', 'query', 'destination', 'daddr', 'address'];

/** Reads what was shared; the names are empty where it names no place. */
export function readShared({ title = '', text = '', url = '' }: Shared, origin: string): SharedThing {
  const words = `${url}\n${text}`;
  const addresses = (words.match(/(?:https?:\/\/|geo:)\S+/gi) ?? []).flatMap((each) => URL.parse(each) ?? []);
  const own = addresses.find((each) => each.origin === origin);
  if (own !== undefined) return { kind: 'link', path: own.pathname + own.search };

  const lines = [text, url]
    .flatMap((each) => each.replaceAll(/(?:https?:\/\/|geo:)\S+/gi, '').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const inAddresses = addresses.flatMap(nameIn);
  for (const each of addresses) {
    const point = pointIn(each);
    if (point !== null) return { kind: 'point', ...point, name: inAddresses[0] ?? lines[0] ?? title.trim() };
  }
  const bare = pair.exec(lines[0] ?? '');
  if (bare !== null) return { kind: 'point', lat: Number(bare[1]), lon: Number(bare[2]), name: '' };
  const names = [lines.join(', '), ...inAddresses, ...lines.toReversed(), title.trim()]
    .map((name) => name.slice(0, longestName))
    .filter((name, at, all) => name !== '' && all.indexOf(name) === at);
  return { kind: 'names', names: names.slice(0, mostNames) };
}

/** The point that a link of a map service shows. */
function pointIn(address: URL): { lon: number; lat: number } | null {
  const { protocol, pathname, searchParams, hash, href } = address;
  const given = [
    ...pointParameters.map((name) => searchParams.get(name) ?? ''),
    protocol === 'geo:' ? pathname : '',
    `${searchParams.get('mlat')},${searchParams.get('mlon')}`,
    // Google's place comes before the middle of its map, OpenStreetMap's view is in the fragment.
    new RegExp(`!3d${number}!4d${number}`).exec(href)?.slice(1).join(',') ?? '',
    new RegExp(`/@${number},${number}`).exec(pathname)?.slice(1).join(',') ?? '',
    new RegExp(`map=[\\d.]+/${number}/${number}`).exec(hash)?.slice(1).join(',') ?? '',
  ];
  for (const each of given) {
    const [, lat, lon] = pair.exec(each.replace(/\(.*\)$/, '').trim()) ?? [];
    const found = { lat: Number(lat), lon: Number(lon) };
    const isSomewhere = Math.abs(found.lat) <= 90 && Math.abs(found.lon) <= 180;
    if (lat !== undefined && isSomewhere && (found.lat !== 0 || found.lon !== 0)) return found;
  }
  return null;
}

/** The place that a link of a map service names. */
function nameIn({ protocol, pathname, searchParams }: URL): string[] {
  const inPath = /\/(?:place|search)\/([^/@]+)/.exec(pathname)?.[1];
  const label = protocol === 'geo:' ? /\((.+)\)$/.exec(searchParams.get('q') ?? '')?.[1] : undefined;
  const given = [
    inPath === undefined ? '' : decoded(inPath),
    label ?? '',
    ...(protocol === 'geo:' ? [] : nameParameters.map((name) => searchParams.get(name) ?? '')),
  ];
  return given.map((name) => name.trim()).filter((name) => name !== '' && !pair.test(name));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
