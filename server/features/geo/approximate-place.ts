import { isAirport } from '#contract/geo/airports.ts';
import { roundedPoint, type Place } from '#contract/units.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import { pointAt } from './region-roads.ts';
import type { ApproximatePlace } from './state.ts';

/** The street at a point, else the town; never a house number. */
export function streetOf(app: App, at: LonLat): { name: string; detail: string } {
  const { region } = app.geo;
  const street = pointAt(app, at)?.streetName ?? '';
  const town = region.townAt(at);
  if (street !== '') return { name: street, detail: town };
  return { name: town === '' ? `Around ${region.titleAt(at)}` : town, detail: '' };
}

/** A place as people see it who do not ride together. Airports keep their name. */
export function approximatePlace(app: App, place: Place): ApproximatePlace {
  const { region } = app.geo;
  const rounded = roundedPoint(place);
  if (isAirport(place)) return { name: place.name, detail: place.detail, ...rounded };
  // At a corner the nearest road may be the other one; the street that the address names is better.
  const named = place.name.replace(/^\d+\p{L}?\s+/u, '');
  if (pointAt(app, place)?.estimated === true) {
    // Beyond the region only the place's own detail names its town; where it tells a state alone, the place
    // is the town.
    const parts = place.detail.split(/[,·]/).map((part) => part.trim());
    const town = parts.findLast((part) => part !== '' && !region.states.has(part.toLowerCase())) ?? '';
    return { name: town === '' ? named : town, detail: '', ...rounded };
  }
  const { name, detail } = streetOf(app, place);
  return { name: region.streets.has(named) ? named : name, detail, ...rounded };
}
