/**
 * A place in the life of the demo community, as a part that some place of the region plays. `across` and `up`
 * say where to search, from 0 to 1 over the part of the region that people live in.
 */
export type PlaceRole =
  | { kind: 'home'; across: number; up: number }
  | { kind: 'goal'; categories: readonly string[]; across: number; up: number }
  /** A goal near another one. */
  | { kind: 'beside'; categories: readonly string[]; other: string }
  /** A home on the route between two others, so that their people meet: `share` of it from its start. */
  | { kind: 'along'; from: string; to: string; share: number }
  /** The n-th of the large airports around. */
  | { kind: 'airport'; rank: number }
  /** A town beyond the region's roads, so that routes to it are estimates. */
  | { kind: 'town'; kilometers: number; bearingDegrees: number };

const home = (across: number, up: number): PlaceRole => ({ kind: 'home', across, up });
const goal = (categories: string, across: number, up: number): PlaceRole => ({
  kind: 'goal',
  categories: categories.split(' '),
  across,
  up,
});
const beside = (categories: string, other: string): PlaceRole => ({
  kind: 'beside',
  categories: categories.split(' '),
  other,
});
const along = (from: string, to: string, share: number): PlaceRole => ({ kind: 'along', from, to, share });
const airport = (rank: number): PlaceRole => ({ kind: 'airport', rank });
const town = (kilometers: number, bearingDegrees: number): PlaceRole => ({
  kind: 'town',
  kilometers,
  bearingDegrees,
});

/**
 * Where the community lives and goes; those whose scenes need each other live along one route. Goals by the
 * categories of OpenStreetMap, the best ones first.
 */
export const placeRoles = {
  home01: home(0.941, 0.169),
  home02: along('home01', 'library', 0.05),
  home03: home(0.971, 0.129),
  home04: along('home01', 'library', 0.03),
  home05: home(0.931, 0.24),
  home06: along('home01', 'library', 0.12),
  home07: along('home01', 'library', 0.2),
  home08: home(0.774, 0.261),
  home09: along('home01', 'library', 0.3),
  home10: home(0.78, 0.165),
  home11: along('home01', 'library', 0.4),
  home12: along('home01', 'library', 0.5),
  home13: along('home01', 'library', 0.52),
  home14: home(0.653, 0.116),
  home15: home(0.701, 0.072),
  home16: home(0.724, 0.117),
  home17: home(0.604, 0.126),
  home18: along('factory', 'home16', 0.8),
  home19: home(0.557, 0.101),
  home20: home(0.543, 0.156),
  home21: home(0.477, 0.157),
  home22: along('home01', 'library', 0.75),
  home23: home(0.504, 0.133),
  home24: home(0.505, 0.244),
  home25: home(0.431, 0.132),
  home26: home(0.415, 0.033),
  home27: home(0.422, 0.002),
  home28: home(0.494, 0.361),
  home29: home(0.483, 0.335),
  home30: home(0.606, 0.495),
  home31: home(0.54, 0.729),
  home32: home(0.575, 0.825),
  home33: home(0.5, 0.687),
  home34: home(0.495, 0.675),
  home35: home(0.306, 0.734),
  home36: home(0.308, 0.727),
  home37: home(0.309, 0.727),
  home38: home(0.245, 0.999),
  home39: home(0.241, 0.951),
  home40: home(0.001, 0.673),
  library: goal('library university', 0.358, 0.349),
  lectureHall: beside('university college', 'library'),
  campusLibrary: beside('library university', 'library'),
  studentUnion: beside('student_union university dormitory', 'library'),
  station: goal('station bus_station', 0.498, 0.144),
  townHall: goal('townhall public government', 0.48, 0.169),
  countyOffices: goal('government courthouse office', 0.508, 0.194),
  businessPark: goal('company office commercial', 0.378, 0.059),
  hospital: goal('hospital clinic', 0.66, 0.282),
  mall: goal('mall department_store supermarket retail', 0.723, 0.185),
  college: goal('college school university', 0.889, 0.272),
  factory: goal('industrial works company office commercial', 0.526, 0.705),
  attraction: goal('attraction stadium museum theatre', 0.526, 0.096),
  natureReserve: goal('nature_reserve park', 0.37, 0.003),
  restaurant: goal('restaurant pier cafe', 0.779, 0.139),
  viewpoint: goal('viewpoint pier peak park', 0.937, 0.144),
  woods: goal('forest nature_reserve park', 0.346, 0.654),
  trails: goal('nature_reserve park golf_course', 0.262, 0.07),
  gym: goal('fitness_centre sports_centre commercial', 0.558, 0.128),
  market: goal('marketplace community_centre arts_centre townhall retail', 0.487, 0.162),
  park: goal('beach park', 0.562, 0.094),
  town01: town(25, 106),
  town02: town(21, 102),
  airportNear: airport(0),
  airportFar: airport(1),
  town03: town(41, 16),
  town04: town(42, 17),
  town05: town(40, 359),
  town06: town(28, 8),
  town07: town(29, 348),
  town08: town(15, 286),
  town09: town(41, 164),
  town10: town(97, 340),
} as const satisfies Record<string, PlaceRole>;

export type PlaceKey = keyof typeof placeRoles;
