import { poiColors } from './flavor.ts';

type Group = keyof typeof poiColors;

/** The icon of each kind of place, by its name in `@mapbox/maki`, in groups of one color. */
const icons: Record<Group, Record<string, string>> = {
  green: {
    park: 'park',
    forest: 'park-alt1',
    nature_reserve: 'park-alt1',
    garden: 'garden',
    peak: 'mountain',
    golf_course: 'golf',
    cemetery: 'cemetery',
    playground: 'playground',
    pitch: 'pitch',
    stadium: 'stadium',
    sports_centre: 'fitness-centre',
    fitness_centre: 'fitness-centre',
    beach: 'beach',
  },
  lapis: {
    aerodrome: 'airport',
    station: 'rail',
    bus_station: 'bus',
    bus_stop: 'bus',
    parking: 'parking',
  },
  slategray: {
    university: 'college',
    college: 'college',
    school: 'school',
    kindergarten: 'school',
    library: 'library',
    post_office: 'post',
    townhall: 'town-hall',
    police: 'police',
    fire_station: 'fire-station',
    place_of_worship: 'place-of-worship',
    office: 'commercial',
    bank: 'bank',
  },
  red: {
    hospital: 'hospital',
    clinic: 'doctor',
    doctors: 'doctor',
    dentist: 'dentist',
    pharmacy: 'pharmacy',
  },
  tangerine: {
    restaurant: 'restaurant',
    fast_food: 'fast-food',
    cafe: 'cafe',
    bar: 'bar',
    pub: 'beer',
  },
  pink: {
    museum: 'museum',
    theatre: 'theatre',
    cinema: 'cinema',
    attraction: 'attraction',
    artwork: 'art-gallery',
    hotel: 'lodging',
    motel: 'lodging',
  },
  blue: {
    supermarket: 'grocery',
    convenience: 'convenience',
    clothes: 'clothing-store',
    mall: 'shop',
    department_store: 'shop',
    shop: 'shop',
    books: 'shop',
    electronics: 'shop',
    fuel: 'fuel',
  },
  turquoise: {},
};

export interface PoiKind {
  kind: string;
  icon: string;
  color: string;
}

/** Kinds of places that the map names, each with its icon and color. */
export const poiKinds: readonly PoiKind[] = Object.entries(icons).flatMap(([group, kinds]) =>
  Object.entries(kinds).map(([kind, icon]) => ({ kind, icon, color: poiColors[group as Group] })),
);

/** What people steer by: named before streets, from farther away. */
export const landmarkKinds: readonly string[] = [
  'university',
  'aerodrome',
  'hospital',
  'station',
  'bus_station',
];
