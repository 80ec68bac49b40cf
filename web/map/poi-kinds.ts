import { poiColors } from './flavor.ts';
import { poiIcons } from './poi-icons.ts';

type Group = keyof typeof poiIcons;

export interface PoiKind {
  kind: string;
  icon: string;
  color: string;
}

/** Kinds of places that the map names, each with its icon and color. */
export const poiKinds: readonly PoiKind[] = Object.entries(poiIcons).flatMap(([group, kinds]) =>
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
