import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import type { PlaceQuery } from './query.ts';
import { kindWords } from './kinds.ts';
import { directions, searchWords, wordsOf } from './words.ts';

export interface RankedPlace extends LonLat {
  kind: 'town' | 'street' | 'address' | 'place' | 'airport';
  category: string;
  name: string;
  otherNames: readonly string[];
  town: string;
  postcode: string;
  /** The line that distinguishes places of the same name, as shown. */
  detail: string;
  importance: number;
}

const importanceWeight = 0.5;
const nearnessWeight = 0.4;
/** The limit of drives. */
const reachMetres = 800_000;
const beyondReach = 0.4;
/**
 * The weight of a town after the comma: more than the penalty for being out of reach, as the person asked for
 * it.
 */
const namedTown = 0.9;
/** A name typed whole outweighs a kind of place and half a name: "University Park" is not a park. */
const wholeName = 0.05;
/** The penalty of a name other than the first: an abbreviation or a former name may mean another place. */
const otherName = 0.13;
/** The same, where only a part of that name was typed. */
const partOfOtherName = 0.15;
/** The weight of a word that asks for a place's kind, typed together with a part of its name. */
const kindBesideName = 0.7;
/** The weight of a typed kind of place, compared with the whole name as 1. */
const kindTyped = 0.7;
/** A place that bears its kind in its name is more surely of that kind. */
const kindInName = 0.05;
/** The penalty of a town beyond the region, for which a person types more of its name. */
const farTown = 0.08;
const farTownMetres = 60_000;
/** Places whose words fit less than this share of the best are left out. */
const worthShowing = 0.55;
/** From this likeness on two names differ only in where their words are split. */
const sameLetters = 0.85;
/** Below this fit hardly a letter matches: the search then finds no place. */
const leastFit = 0.45;
/** Words by which a person means the airport, not the city that it is named after. */
const airportWords = ['airport', 'international', 'intl', 'terminal', 'airfield', '机场'];
/** Factor for an airport where the person typed only its city. */
const cityMeant = 0.5;

/** 0 … 1: how near a place is, on a logarithmic scale: 1 at the point itself, 0 from 10,000 km on. */
export const nearness = (metres: number): number => 1 - Math.min(1, Math.log10(1 + metres / 1000) / 4);

/**
 * Best first: how well the words fit, then how important the place is, then how near. Leaves out places that
 * fit far worse than the best, and all but one of those with the same name and detail.
 */
export function rankPlaces<P extends RankedPlace>(found: readonly P[], query: PlaceQuery, near: LonLat): P[] {
  const fitting = found.map((place) => ({ place, fit: textFit(place, query) }));
  const bestFit = Math.max(0, ...fitting.map(({ fit }) => fit));
  const scored = fitting
    .filter(({ fit }) => fit >= Math.max(leastFit, worthShowing * bestFit))
    .map(({ place, fit }) => ({ place, score: fit + standing(place, near, query) }))
    .toSorted((a, b) => b.score - a.score);
  const kept: P[] = [];
  for (const { place } of scored) {
    if (!kept.some((better) => looksTheSame(better, place))) kept.push(place);
  }
  return kept;
}

function standing(place: RankedPlace, near: LonLat, { words }: PlaceQuery): number {
  const metres = greatCircleMetres(place, near);
  const reached = metres > reachMetres ? -beyondReach : 0;
  const meant = place.kind === 'airport' && !meansAirport(place, words) ? cityMeant : 0;
  const far = place.kind === 'town' && metres > farTownMetres ? farTown : 0;
  return importanceWeight * place.importance + nearnessWeight * nearness(metres) + reached - meant - far;
}

/** Whether the words mean an airport: by a word for it or its prefix, or by its code. */
function meansAirport(place: RankedPlace, words: readonly string[]): boolean {
  const isNamed = words.some((word) => word.length > 1 && airportWords.some((each) => each.startsWith(word)));
  return isNamed || codeOf(place).some((code) => words.includes(code)) || !/airport/i.test(place.name);
}

/** 0 … 2: how well the typed words fit one of a place's names, else its kind or town. */
export function textFit(
  place: Pick<RankedPlace, 'kind' | 'category' | 'name' | 'otherNames' | 'town' | 'postcode'>,
  query: Pick<PlaceQuery, 'words' | 'context'>,
): number {
  const kinds = kindWords(place);
  // "The Pennsylvania State University, University Park Campus": either part is a name.
  const names = place.otherNames.flatMap((name) => [name, ...name.split(', ').slice(1)]);
  const others = names.map((name) => {
    const isWhole = wordsOf(name).length <= query.words.length;
    return nameFit({ ...place, name }, kinds, query) - (isWhole ? otherName : partOfOtherName);
  });
  return Math.max(nameFit(place, kinds, query), ...others);
}

function nameFit(
  place: Pick<RankedPlace, 'kind' | 'category' | 'name' | 'town' | 'postcode'>,
  kinds: readonly string[],
  { words, context }: Pick<PlaceQuery, 'words' | 'context'>,
): number {
  const own = namingWords(place, words);
  const around = wordsOf(`${place.town} ${place.postcode}`);
  // A postcode typed together with its town means the postcode.
  const isPostcodeTyped = place.category === 'postcode' && words.includes(own[0] ?? '');
  const isKindTyped = words.every((word) => kinds.includes(word));
  const ofKind = isKindTyped ? 1 : kindBesideName;
  const known = [...searchWords(place.name), ...(isPostcodeTyped ? around : []), ...codeOf(place)];
  const fits = words.map((word) =>
    Math.max(
      fitAmong(word, known),
      ofKind * fitAmong(word, kinds),
      0.5 * fitAmong(word, around),
      0.6 * likenessAmong(word, known),
    ),
  );
  const byWord = fits.reduce((sum, fit) => sum + fit, 0) / Math.max(1, words.length);
  // "santacruz": typed as one word, or the reverse.
  const joined = likeness(words.join(''), own.join(''));
  const wordFit = Math.max(byWord, joined >= sameLetters ? joined : 0);
  const inName = words.filter((word) => fitAmong(word, known) > 0).length;
  const typedOfName = isKindTyped ? kindTyped : Math.min(1, inName / Math.max(1, own.length));
  const undirected = own.length < wordsOf(place.name).length ? 0.02 : 0;
  const fromStart = isKindTyped || (words[0] !== undefined && own[0]?.startsWith(words[0])) ? 0.05 : 0;
  const inContext = context.some((word) => fitsTown(word, around)) ? namedTown : 0;
  const isWholeName = own.join(' ') === words.join(' ') ? wholeName : 0;
  const isNamedSo = isKindTyped && inName > 0 ? kindInName : 0;
  return wordFit + 0.25 * typedOfName + fromStart + inContext + isWholeName + isNamedSo - undirected;
}

/** The words that suffice as a name: "Beaver Avenue" is enough for East Beaver Avenue. */
function namingWords({ kind, name }: Pick<RankedPlace, 'kind' | 'name'>, typed: readonly string[]): string[] {
  const own = wordsOf(name);
  const isDirected = kind === 'street' && own.length > 2 && directions.has(own[0]!);
  return isDirected && !directions.has(typed[0] ?? '') ? own.slice(1) : own;
}

/** An airport's code, which counts as much as its name. */
const codeOf = ({ kind, town }: Pick<RankedPlace, 'kind' | 'town'>): string[] =>
  kind === 'airport'
    ? wordsOf(town)
        .filter((word) => word.length === 3)
        .slice(0, 1)
    : [];

/** Two letters are an abbreviation, not the prefix of a town. */
const fitsTown = (word: string, around: readonly string[]): boolean =>
  word.length > 2 ? fitAmong(word, around) > 0 : around.includes(word);

function fitAmong(word: string, words: readonly string[]): number {
  if (words.includes(word)) return 1;
  return words.some((each) => each.startsWith(word)) ? 0.8 : 0;
}

function likenessAmong(word: string, words: readonly string[]): number {
  return Math.max(0, ...words.map((each) => likeness(word, each)));
}

/** 0 … 1: the likeness of two words by edit distance, where two swapped letters count as one edit. */
export function likeness(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 1;
  if (Math.abs(a.length - b.length) > longest / 2) return 0;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let changes = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        changes = Math.min(changes, (beforeLast[column - 2] ?? 0) + 1);
      line.push(changes);
    }
    [beforeLast, last] = [last, line];
  }
  return 1 - (last[b.length] ?? longest) / longest;
}

const sameSpotMetres = 500;
const sameAirportMetres = 3000;

function looksTheSame(a: RankedPlace, b: RankedPlace): boolean {
  if (a.kind === 'airport' && b.kind === 'airport') return greatCircleMetres(a, b) < sameAirportMetres;
  if (wordsOf(a.name).join(' ') !== wordsOf(b.name).join(' ')) return false;
  return a.detail === b.detail || greatCircleMetres(a, b) < sameSpotMetres;
}
