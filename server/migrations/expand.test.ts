import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { breaksFormerRelease, parametersOfFunctions } from '../testing/expand.ts';

const read = (name: string) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');
const { entries } = JSON.parse(read('meta/_journal.json')) as { entries: { tag: string }[] };
const [baseline = '', ...later] = entries.map(({ tag }) => read(`${tag}.sql`));

test('from the first release on, migrations only expand', () => {
  const made = [baseline];
  for (const sql of later) {
    expect([sql, breaksFormerRelease(sql, parametersOfFunctions(made))]).toEqual([sql, []]);
    made.push(sql);
  }
});

test.each([
  ['ALTER TABLE "users" DROP COLUMN "name";'],
  ['DROP TABLE "users";'],
  ['ALTER TABLE "users" RENAME COLUMN "name" TO "full_name";'],
  ['ALTER TABLE "users" RENAME TO "people";'],
  ['ALTER TABLE "users" ADD COLUMN "name" text NOT NULL;'],
  ['ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;'],
  ['ALTER TABLE "users" ALTER COLUMN "name" SET DATA TYPE integer;'],
  ['alter table users alter name drop default;'],
  ['drop function note_changed_rides();'],
  ['create function publish(a text, b text) returns void language sql as $$ select 1 $$;'],
])('%s breaks them', (statement) => {
  const parameters = new Map([['publish', 'a text']]);
  expect(breaksFormerRelease(statement, parameters)).toHaveLength(1);
});

test.each([
  ['ALTER TABLE "users" ADD COLUMN "name" text;'],
  ['ALTER TABLE "users" ADD COLUMN "name" text DEFAULT \'\' NOT NULL;'],
  ['ALTER TABLE "users" ALTER COLUMN "name" DROP NOT NULL;'],
  ['CREATE TABLE "teams" ("id" uuid PRIMARY KEY NOT NULL, "name" text NOT NULL);'],
  ['CREATE INDEX "by_name" ON "users" ("name");\n-- drop column is a word of a comment'],
  ['ALTER TABLE "users" DROP CONSTRAINT "short_name";'],
  ['create or replace function publish(a text) returns void language sql as $$ select 2 $$;'],
  ['create function clear() returns void language sql as $$ drop table old_days $$;'],
])('%s lets them go on', (statement) => {
  expect(breaksFormerRelease(statement, new Map([['publish', 'a text']]))).toEqual([]);
});
