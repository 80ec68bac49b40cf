/** The icon of each kind of place, by its name in `@mapbox/maki`, in groups of one color. */
export const poiIcons = {
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
} satisfies Record<string, Record<string, string>>;

const drawings = import.meta.glob<string>(
  '../../node_modules/@mapbox/maki/icons/{airport,art-gallery,attraction,bank,bar,beach,beer,bus,cafe,cemetery,cinema,clothing-store,college,commercial,convenience,dentist,doctor,fast-food,fire-station,fitness-centre,fuel,garden,golf,grocery,hospital,library,lodging,mountain,museum,park,park-alt1,parking,pharmacy,pitch,place-of-worship,playground,police,post,rail,restaurant,school,shop,stadium,theatre,town-hall}.svg',
  { query: '?raw', import: 'default', eager: true },
);

/** The side of the drawings. */
export const makiSide = 15;

/** The paths of an icon's drawing; none for a name that the app does not use. */
export function iconPaths(icon: string): string[] {
  const drawing = drawings[`../../node_modules/@mapbox/maki/icons/${icon}.svg`] ?? '';
  // Some drawings break their lines by character references.
  return [...drawing.matchAll(/<path[^>]*\sd="([^"]+)"/g)].map(([, d = '']) =>
    d.replaceAll(/&#x[0-9a-f]+;/gi, ' '),
  );
}

const iconOfKind = new Map<string, string>(Object.values(poiIcons).flatMap((kinds) => Object.entries(kinds)));

/** The icon of OpenStreetMap's kind of place; null for a kind without one. */
export const iconOf = (kind: string): string | null => iconOfKind.get(kind) ?? null;
