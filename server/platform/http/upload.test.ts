import { expect, test } from 'vitest';
import { createUploadGate } from './upload.ts';

test('four uploads of one person are under way at a time, and twenty-four in all; each gives its place back', () => {
  const enter = createUploadGate();
  const own = Array.from({ length: 4 }, () => enter('mia'));
  expect(() => enter('mia')).toThrow('Sameway is very busy');
  const others = Array.from({ length: 20 }, (_, at) => enter(`person ${at % 5}`));
  expect(() => enter('leo')).toThrow('Sameway is very busy');
  own[0]!();
  enter('mia');
  expect(() => enter('mia')).toThrow('Sameway is very busy');
  for (const leave of others) leave();
  enter('leo');
});
