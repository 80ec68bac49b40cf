import { expect, test } from 'vitest';
import { countLongCommentLines } from './comment-lines.ts';

const words = 'word '.repeat(30).trim();

test.each([
  ['a line comment', `// ${words}`, 1],
  ['a line of a docstring', `/**\n * ${words}\n */`, 1],
  ['a docstring on one line', `  /** ${words} */`, 1],
  ['a comment of 110 characters', `// ${'x'.repeat(107)}`, 0],
  ['a comment of 111 characters', `// ${'x'.repeat(108)}`, 1],
  ['a text in quotes', `const text = '${words}';`, 0],
])('%s', (_what, source, count) => {
  expect(countLongCommentLines(source)).toBe(count);
});
