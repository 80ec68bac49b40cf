import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const pages = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
);
const textOf = (page: string): string =>
  fs.readFileSync(path.join(root, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/[`*]/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

test('every link of the documentation leads to a file and a heading that are there', () => {
  const dead = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].flatMap(([, link]) => {
      const [file = '', anchor] = link!.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!fs.existsSync(path.join(root, target))) return [`${page}: ${link}`];
      if (anchor === undefined || !target.endsWith('.md')) return [];
      return anchorsOf(target).includes(anchor) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(dead).toEqual([]);
  expect(pages.length).toBeGreaterThan(100);
});
