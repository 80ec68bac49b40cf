import path from 'node:path';

/**
 * A cache of expensive test data that is needed again: road networks. Each clone has its own, so that no user
 * finds another's.
 */
export const testCacheFolder = path.join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'sameway-test',
);

/** Where `loadRegion` keeps roads and paths below it. */
export const testRoadCache = path.join(testCacheFolder, 'regions');
