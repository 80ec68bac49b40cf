import { namedFlavor, type Flavor } from '@protomaps/basemaps';

/** The families of the map's words, declared in `theme.css`; the map reads the weight from the name. */
export const mapFonts = { regular: 'Inter Variable', bold: 'Inter Semibold', italic: 'Inter Variable' };

/** Colors of what the flavor has no name for. */
export const paint = {
  beyond: '#e9ecea',
  land: '#f4f2ec',
  sea: '#abd5ea',
  border: '#c3c7c4',
  commerce: '#f1ece2',
  parking: '#eeebe5',
  pitch: '#c9e4c2',
  wood: '#d8e7cf',
  scrub: '#e4eeda',
  placeLabel: '#1f2430',
  villageLabel: '#3c3f43',
  hamletLabel: '#6b6d72',
  label: '#4a5262',
  halo: '#ffffff',
} as const;

/** Colors of places to go to, by what they are for. */
export const poiColors = {
  blue: '#3f7fae',
  green: '#3f8a4f',
  lapis: '#4766b5',
  pink: '#a3579b',
  red: '#c0525f',
  slategray: '#766c8c',
  tangerine: '#b8691d',
  turquoise: '#2a94a0',
} as const;

/**
 * The light flavor with a quiet, warm ground and white streets: the route, in ink or in the brand's green, is
 * the strongest thing on the map.
 */
export function calmFlavor(): Flavor {
  return {
    ...namedFlavor('light'),
    background: paint.land,
    earth: paint.land,
    park_a: '#cfe8c8',
    park_b: '#cfe8c8',
    wood_a: paint.wood,
    wood_b: paint.wood,
    scrub_a: paint.scrub,
    scrub_b: paint.scrub,
    water: paint.sea,
    school: '#f1e8d6',
    hospital: '#f8e8e6',
    industrial: '#efedea',
    aerodrome: '#e9ecf1',
    runway: '#d9dee7',
    pedestrian: '#eeebe4',
    zoo: '#e3eddb',
    military: '#eeeae6',
    sand: '#f3ecd8',
    beach: '#f7edcf',
    buildings: '#e2dcd2',
    pier: '#eeebe4',
    other: '#ebe6dc',
    minor_service: '#ffffff',
    minor_a: '#ffffff',
    minor_b: '#ffffff',
    link: '#fff3d1',
    major: '#ffffff',
    highway: '#ffe09a',
    minor_service_casing: '#e2ddd4',
    minor_casing: '#dad4ca',
    link_casing: '#ecd9a6',
    major_casing_early: '#d6cfc0',
    major_casing_late: '#cdc5b4',
    highway_casing_early: '#e8c46c',
    highway_casing_late: '#e0b95c',
    bridges_other_casing: '#dedad2',
    bridges_minor_casing: '#cfcabf',
    bridges_link_casing: '#e3cd93',
    bridges_major_casing: '#cdc8bc',
    bridges_highway_casing: '#e0bf71',
    bridges_other: '#ebe6dc',
    bridges_minor: '#ffffff',
    bridges_link: '#fff3d1',
    bridges_major: '#ffffff',
    bridges_highway: '#ffe09a',
    railway: '#c3c2c6',
    boundaries: '#c5bfd0',
    roads_label_minor: '#6d6a66',
    roads_label_minor_halo: paint.halo,
    roads_label_major: '#55524e',
    roads_label_major_halo: paint.halo,
    ocean_label: '#3f86a8',
    subplace_label: '#77727f',
    subplace_label_halo: '#fbfaf7',
    city_label: paint.placeLabel,
    city_label_halo: paint.halo,
    address_label: '#8d877d',
    address_label_halo: paint.halo,
    regular: mapFonts.regular,
    bold: mapFonts.bold,
    italic: mapFonts.italic,
  };
}
