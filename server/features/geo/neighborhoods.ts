import { isAirport } from '#contract/geo/airports.ts';
import type { Place } from '#contract/units.ts';
import { greatCircleMetres } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import { approximatePlace, streetOf } from './approximate-place.ts';
import { areaAt, pointIn } from './rules/areas.ts';
import { sixDecimals } from './rules/six-decimals.ts';
import type { ApproximatePlace } from './state.ts';

/** Where a car may stop in an area: its middle first, then ever farther out. */
const areaSpots = [0, 0.15, 0.3, 0.45].flatMap((far) =>
  far === 0
    ? [[0, 0] as const]
    : [-far, 0, far]
        .flatMap((right) => [-far, 0, far].map((up) => [right, up] as const))
        .filter(([x, y]) => x !== 0 || y !== 0),
);

/** A neighborhood of the region by its id, named on first use. */
export function areaById(app: App, id: number): ApproximatePlace {
  const { areas } = app.geo;
  const known = areas.get(id);
  if (known !== undefined) return known;
  const area = nameArea(app, id);
  areas.set(id, area);
  return area;
}

/**
 * A neighborhood by its id: named after the quarter or landmark in it, else after the street that runs
 * through most of it. Its point is one inside it where a car can stop, so that it reveals no address.
 */
function nameArea(app: App, id: number): ApproximatePlace {
  const { region } = app.geo;
  const middle = pointIn(id, 0, 0);
  const spots = areaSpots.flatMap(([right, up]) => {
    const at = sixDecimals(pointIn(id, right, up));
    const point = region.network.snap(at);
    return point === null ? [] : [{ at, street: point.streetName ?? '' }];
  });
  // The street that runs through most of it; of equal ones the nearest to the middle.
  const countOf = (street: string) => spots.filter((each) => each.street === street).length;
  const [best] = spots
    .filter(({ street }) => street !== '')
    .toSorted((one, other) => countOf(other.street) - countOf(one.street));
  const at = (best ?? spots[0])?.at ?? middle;
  const [quarter] = region.quarters
    .filter((each) => areaAt(each) === id)
    .toSorted(
      (one, other) =>
        Number(one.kind === 'landmark') - Number(other.kind === 'landmark') ||
        greatCircleMetres(one, middle) - greatCircleMetres(other, middle),
    );
  const named =
    quarter === undefined
      ? streetOf(app, at)
      : { name: quarter.name, detail: quarter.kind === 'town' ? '' : region.townAt(at) };
  return { ...named, ...at };
}

/**
 * The neighborhood of a place, and a public label of the place: an airport's name, or the town of a place
 * beyond the region; else empty, and the neighborhood's name applies.
 */
export function areaOf(app: App, place: Place): { id: number; label: string } {
  const isElsewhere = isAirport(place) || app.geo.region.network.snap(place)?.estimated === true;
  return { id: areaAt(place), label: isElsewhere ? approximatePlace(app, place).name : '' };
}
