import path from 'node:path';
import type { AddressRange } from '#roads/places/addresses.ts';
import { readPlaces } from '#roads/places/places.ts';
import type { App } from '../../app-type.ts';
import { readAirports, readCities, airportRow, cityRow, packRow } from './import-places.ts';
import type { NewPlace, PlaceRow } from './store.ts';
import { detailOf } from './view.ts';

/** A place as the search knows it. */
export interface DirectoryPlace {
  id: string;
  kind: PlaceRow['kind'];
  category: string;
  name: string;
  detail: string;
  street: string;
  lon: number;
  lat: number;
  importance: number;
  /** House numbers along one side of a street, for an address that stands for many. */
  range: AddressRange | null;
}

/** All places that a pack's file tells. @throws Error where no pack has the name. */
export async function placesOfPack({ geo }: App, name: string): Promise<DirectoryPlace[]> {
  const pack = geo.region.packs.find(({ info }) => info.name === name);
  if (pack === undefined) throw new Error(`No region pack is called ${name}.`);
  const found: DirectoryPlace[] = [];
  for await (const place of readPlaces(path.join(pack.folder, 'places.ndjson.gz')))
    found.push(entryOf(packRow(place, name)));
  return found;
}

/** Towns and airports beyond the packs, as their lists tell them. */
export async function placesBeyond({ geo }: App): Promise<DirectoryPlace[]> {
  const rows = [...(await readCities(geo.region)).map(cityRow), ...(await readAirports()).map(airportRow)];
  return rows.map(entryOf);
}

function entryOf(row: NewPlace): DirectoryPlace {
  const { id, kind, name, lon, lat, importance, range } = row;
  const { category = '', street = '', town = '', postcode = '' } = row;
  const detail = detailOf({ kind, street, town, postcode });
  return { id, kind, category, name, detail, street, lon, lat, importance, range };
}
