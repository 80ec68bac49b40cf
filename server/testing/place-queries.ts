import fs from 'node:fs';
import path from 'node:path';
import type { FoundPlace } from '#contract/geo/endpoints.ts';

/**
 * A text as a person types it, and the places of which one must come first: a kind and the beginning of a
 * name.
 */
export interface WrittenQuery {
  text: string;
  wanted: readonly { kind: string; name: string }[];
}

const folder = path.join(import.meta.dirname, 'place-queries');

/** The regions that queries were written for. */
export const queriedRegions = fs.readdirSync(folder).map((file) => path.basename(file, '.txt'));

/**
 * The queries written for a region: `typed text | kind name`, other right answers after further bars.
 * @throws when none were written for it.
 */
export function writtenQueries(region: string): WrittenQuery[] {
  const lines = fs.readFileSync(path.join(folder, `${region}.txt`), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [text = '', ...answers] = line.split('|').map((part) => part.trim());
      return {
        text,
        wanted: answers.map((answer) => {
          const [kind = '', ...name] = answer.split(' ');
          return { kind, name: name.join(' ') };
        }),
      };
    });
}

/** The position, from 1, of the first right answer; null where there is none among those found. */
export function positionOfWanted({ wanted }: WrittenQuery, found: readonly FoundPlace[]): number | null {
  const at = found.findIndex(({ kind, name }) =>
    wanted.some((each) => each.kind === kind && name.startsWith(each.name)),
  );
  return at < 0 ? null : at + 1;
}
