import type { Place } from '#roads/places/places.ts';
import { buildings, kindWords } from './kinds.ts';
import sceneryList from './scenery.json' with { type: 'json' };

/** OpenStreetMap's categories that hardly any trip goes to. */
const scenery = new Set(sceneryList);
const visitedName =
  /\b(mall|hospital|medical center|library|high school|school|city hall|post office|courthouse|museum|theat(er|re)|center for|community center|visitor|station|stadium|church|pharmacy|supermarket|market|safeway|costco|target|university|college|plaza)\b/i;
const sceneryName =
  /\b(substation|shed|garage|barn|bathroom|restroom|pump house|boiler|storage|maintenance|kiosk|cogeneration|bldg|apts?|apartments?|house|hall|residence|annex|headquarters)\b|\bbuilding [a-z0-9]{1,2}$|^[a-z]-/i;

const visited = 0.4;
/** The importance of a place of which a pack knows nothing more. */
const usual = 0.3;
const seldom = 0.15;

/**
 * 0 … 1: how likely people mean this place among others that match the same words. The pack's value, lowered
 * for places that hardly any trip goes to (a substation, a dormitory) and raised for buildings whose names
 * suggest visitors.
 */
export function importanceOf({ kind, name, category = '', importance }: Place): number {
  if (kind !== 'place') return importance;
  if (scenery.has(category)) return Math.min(importance, seldom);
  if (!buildings.has(category) || importance > visited) return importance;
  const isOfKind = kindWords({ kind, category: 'building', name }).length > 0;
  if ((isOfKind || visitedName.test(name)) && !/\b(substation|garage|annex|residence)\b/i.test(name))
    return Math.max(importance, visited + Math.max(0, importance - usual));
  return sceneryName.test(name) ? Math.min(importance, seldom) : importance;
}
