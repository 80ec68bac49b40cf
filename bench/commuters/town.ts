import { greatCircleMetres, type LonLat } from '../../roads/graph/geometry.ts';
import { readOsm, type Tags } from '../../roads/build/osm.ts';
import { NodePositions } from '../../scripts/region/node-positions.ts';

/** Where people of a region live and work, as far as its extract tells. */
export interface Town {
  /** A place about a residential street, each metre of them alike. */
  home(random: () => number): LonLat;
  /**
   * A place of work, or a point of a main street: one place weighs as much as `metresLikeAPlace` of street.
   */
  work(random: () => number): LonLat;
  residentialKm: number;
  mainKm: number;
  workplaces: number;
}

/** Few extracts hold every shop and office; those that are missing stand mostly along the main streets. */
const metresLikeAPlace = 250;

const residential = new Set(['residential', 'living_street']);
const main = new Set(['primary', 'secondary', 'tertiary']);
const workAmenities = new Set(
  `bank bar cafe cinema clinic college community_centre courthouse dentist doctors fast_food fire_station hospital
   kindergarten library nursing_home pharmacy place_of_worship police post_office pub restaurant school social_facility
   theatre townhall university veterinary`.split(/\s+/),
);
const workBuildings = new Set(
  'college commercial hospital hotel industrial office public retail school university warehouse'.split(' '),
);

/**
 * Reads an extract twice: what there is, then where it is.
 * @throws when the file is missing or not OSM PBF, or has no residential or no main street.
 */
export async function readTown(pbfFile: string): Promise<Town> {
  const positions = new NodePositions();
  const lines: { refs: number[]; isMain: boolean }[] = [];
  const workRefs: number[] = [];
  const workplaces: LonLat[] = [];
  for await (const element of readOsm(pbfFile)) {
    const { tags } = element;
    if (tags === undefined || element.type === 'relation') continue;
    if (isWorkplace(tags)) {
      if (element.type === 'node') workplaces.push({ lon: element.lon, lat: element.lat });
      else workRefs.push(...element.refs.slice(0, 1));
    }
    const { highway = '' } = tags;
    if (element.type === 'way' && (residential.has(highway) || main.has(highway)))
      lines.push({ refs: element.refs, isMain: main.has(highway) });
  }
  for (const ref of [...workRefs, ...lines.flatMap(({ refs }) => refs)]) positions.want(ref);
  for await (const element of readOsm(pbfFile)) {
    if (element.type !== 'node') break;
    positions.set(element.id, element);
  }
  workplaces.push(...workRefs.flatMap((ref) => positions.get(ref) ?? []));
  const streets = (isMain: boolean) =>
    new Streets(
      lines
        .filter((line) => line.isMain === isMain)
        .map(({ refs }) => refs.flatMap((ref) => positions.get(ref) ?? [])),
    );
  const [homes, mains] = [streets(false), streets(true)];
  if (homes.metres === 0 || mains.metres === 0)
    throw new Error(`${pbfFile} has no residential or no main street: commuters cannot be drawn on it`);
  const weightOfPlaces = workplaces.length * metresLikeAPlace;
  return {
    home: (random) => homes.draw(random),
    work: (random) =>
      random() * (weightOfPlaces + mains.metres) < weightOfPlaces
        ? workplaces[Math.floor(random() * workplaces.length)]!
        : mains.draw(random),
    residentialKm: Math.round(homes.metres / 1000),
    mainKm: Math.round(mains.metres / 1000),
    workplaces: workplaces.length,
  };
}

const isWorkplace = (tags: Tags): boolean =>
  tags['shop'] !== undefined ||
  tags['office'] !== undefined ||
  workAmenities.has(tags['amenity'] ?? '') ||
  workBuildings.has(tags['building'] ?? '');

/** Lines from which points are drawn, each metre alike. */
export class Streets {
  readonly metres: number;
  private readonly pieces: { from: LonLat; to: LonLat; endsAt: number }[] = [];

  constructor(lines: readonly (readonly LonLat[])[]) {
    let metres = 0;
    for (const line of lines) {
      for (let i = 1; i < line.length; i++) {
        const [from, to] = [line[i - 1]!, line[i]!];
        metres += greatCircleMetres(from, to);
        this.pieces.push({ from, to, endsAt: metres });
      }
    }
    this.metres = metres;
  }

  draw(random: () => number): LonLat {
    const at = random() * this.metres;
    let [low, high] = [0, this.pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pieces[middle]!.endsAt > at) high = middle;
      else low = middle + 1;
    }
    const { from, to } = this.pieces[low]!;
    const share = random();
    return { lon: from.lon + (to.lon - from.lon) * share, lat: from.lat + (to.lat - from.lat) * share };
  }
}
