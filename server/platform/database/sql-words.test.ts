import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { sqlWords } from './sql-words.ts';

test('words become constants of the statement, not parameters', () => {
  const { sql, params } = new PgDialect().sqlToQuery(sqlWords(['matching', 'driver reached']));
  expect([sql, params]).toEqual(["('matching', 'driver reached')", []]);
});

test.each(["x'", 'a;b', ''])('%j is refused', (word) => {
  expect(() => sqlWords([word])).toThrow(/is no word for SQL/);
});
