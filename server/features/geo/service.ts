export { approximatePlace, streetOf, areaById, areaOf } from './approximate-place.ts';
export { importPlaces, placesBeyond, placesOfPack, type DirectoryPlace } from './import-places.ts';
export {
  locatePlace,
  packInfos,
  pointAt,
  regionIdAt,
  regionInfo,
  roadNetwork,
  trafficPermilleAt,
  trafficPermilleIn,
  walkLine,
} from './region-roads.ts';
export { areaAt, areaSpans, areasAround, areasOnLine, leastDegreesBeyond } from './rules/areas.ts';
export { timeZoneAt } from './rules/local-hour.ts';
export { createShortcut } from './shortcuts.ts';
export { openGeo, roadsOf } from './state.ts';
export { erasure } from './store.ts';
