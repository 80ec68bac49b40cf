/**
 * Counts what STYLE.md wants small and what ARCHITECTURE.md does not want at all, by file, and compares with
 * `scripts/sizes/baseline.json`, which may only shrink. Part of `npm run check`; alone: npm run sizes.
 *   --write   writes the baseline where counts have become smaller; a moved file takes its allowance along
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { countLongCommentLines } from './sizes/comment-lines.ts';
import { grown, report, shrunk, type Kinds } from './sizes/counts.ts';
import { tablesOf } from './sizes/owners.ts';
import { foreignAccess } from './sizes/table-access.ts';

const root = path.resolve(import.meta.dirname, '..');
const baselineFile = path.join(import.meta.dirname, 'sizes', 'baseline.json');
const kindOf: Readonly<Record<string, string>> = {
  'eslint(max-lines-per-function)': 'functions over 70 lines',
  'eslint(max-params)': 'functions with over 4 parameters',
  'eslint(max-depth)': 'blocks deeper than 4',
};
const [foreignWrites, foreignReads] = [
  "writes to another feature's table",
  "reads of another feature's table",
] as const;

const linted = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });
const kinds = z.record(z.string(), z.record(z.string(), z.number()));

const walls = ['contract', 'locales', 'roads', 'stripe-sandbox', 'server', 'web', 'scripts', 'e2e', 'bench'];

const filesIn = (wall: string): string[] =>
  fs
    .readdirSync(path.join(root, wall), { recursive: true, encoding: 'utf8' })
    .map((each) => path.posix.join(wall, each.split(path.sep).join('/')));

/** The linter's findings of things too large. @throws Error when it says nothing that can be read. */
function lintedSizes(): Record<string, Record<string, number>> {
  const found: Record<string, Record<string, number>> = Object.fromEntries(
    Object.values(kindOf).map((kind) => [kind, {}]),
  );
  const args = ['node_modules/oxlint/bin/oxlint', '-c', 'scripts/sizes/oxlint.json', '--format', 'json'];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  const { diagnostics } = linted.parse(JSON.parse(stdout));
  for (const { code, filename } of diagnostics) {
    const counts = found[kindOf[code] ?? ''];
    if (counts === undefined) throw new Error(`${filename}: ${code} is none of the sizes that are counted.`);
    const file = filename.split(path.sep).join('/');
    counts[file] = (counts[file] ?? 0) + 1;
  }
  return found;
}

/**
 * Writes and reads that go past the owner of a table.
 * @throws Error when no table is found, so that a moved folder cannot make it blind.
 */
function crossOwnerAccess(): Kinds {
  const schemas = fs
    .readdirSync(path.join(root, 'server/schema'))
    .map((file) => [path.basename(file, '.ts'), path.join('server/schema', file)] as const);
  const tables = [...schemas, ['stripe-sandbox', 'stripe-sandbox/schema.ts'] as const].flatMap(
    ([schema, file]) => tablesOf(schema, fs.readFileSync(path.join(root, file), 'utf8')),
  );
  if (tables.length === 0) throw new Error('No table was found below server/schema.');
  const writes: Record<string, number> = {};
  const reads: Record<string, number> = {};
  for (const file of [...filesIn('server'), ...filesIn('stripe-sandbox')]) {
    if (!file.endsWith('.ts') || /\.test\.ts$|^server\/testing\//.test(file)) continue;
    const found = foreignAccess(file, fs.readFileSync(path.join(root, file), 'utf8'), tables);
    if (found.writes.length > 0) writes[file] = found.writes.length;
    if (found.reads.length > 0) reads[file] = found.reads.length;
  }
  return { [foreignWrites]: writes, [foreignReads]: reads };
}

/** Comments that go beyond the width of the code. @throws Error when no file is found. */
function longComments(): Record<string, number> {
  const files = walls.flatMap(filesIn).filter((file) => /\.(ts|tsx|mjs)$/.test(file));
  if (files.length === 0) throw new Error('No file of code was found.');
  const counts = files.map(
    (file) => [file, countLongCommentLines(fs.readFileSync(path.join(root, file), 'utf8'))] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
const baseline: Kinds = kinds.parse(JSON.parse(fs.readFileSync(baselineFile, 'utf8')));
const found: Kinds = {
  ...lintedSizes(),
  'comment lines over 110': longComments(),
  ...crossOwnerAccess(),
};
for (const line of report(found, baseline)) process.stdout.write(`${line}\n`);
const [more, less] = [grown(found, baseline), shrunk(found, baseline)];
const total = (kinds: Kinds, kind: string) =>
  Object.values(kinds[kind] ?? {}).reduce((sum, count) => sum + count, 0);
const mayWrite = Object.keys(found).every((kind) => total(found, kind) <= total(baseline, kind));
if (values.write === true && mayWrite) {
  const sorted = Object.fromEntries(
    Object.entries(found).map(([kind, counts]) => [
      kind,
      Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    ]),
  );
  fs.writeFileSync(baselineFile, `${JSON.stringify(sorted, null, 2)}\n`);
} else {
  for (const line of more) process.stderr.write(`${line}\n`);
  for (const line of less) process.stderr.write(`${line}: npm run sizes -- --write\n`);
  if (more.length > 0 || less.length > 0) process.exitCode = 1;
}
