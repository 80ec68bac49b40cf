import kindList from './kinds.json' with { type: 'json' };
import { searchWords } from './words.ts';

interface Kind {
  /** OpenStreetMap's values. */
  categories: readonly string[];
  /** As people ask for one, in the languages of the app. */
  words: string;
  /** Buildings of these names are of the kind, where the map says nothing but that it is a building. */
  named: RegExp | undefined;
}

/** Kinds of places that people search by, for the nearest or the most important one. */
const kinds: readonly Kind[] = kindList.map(({ named, ...kind }) => ({
  ...kind,
  named: named === undefined ? undefined : new RegExp(named, 'i'),
}));

/** Buildings in these categories are recognized by their names alone. */
export const buildings: ReadonlySet<string> = new Set([
  'building',
  'commercial',
  'retail',
  'public',
  'industrial',
  'office',
  'university',
]);

const kindOfCategory = new Map(kinds.flatMap((kind) => kind.categories.map((each) => [each, kind] as const)));
const wordsOfKind = new Map(kinds.map((kind) => [kind, searchWords(kind.words)]));

/** The words that ask for a place's kind; none for a kind that people do not search by. */
export function kindWords({
  kind,
  category,
  name,
}: {
  kind: string;
  category: string;
  name: string;
}): string[] {
  if (kind !== 'place' && kind !== 'airport') return [];
  const ofName = buildings.has(category) ? kinds.find(({ named }) => named?.test(name)) : undefined;
  const found = ofName ?? kindOfCategory.get(category);
  return found === undefined ? [] : wordsOfKind.get(found)!;
}
