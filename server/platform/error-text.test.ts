import { expect, test } from 'vitest';
import { errorText } from './error-text.ts';

test('an error that has others in place of words has theirs', () => {
  const refused = ['::1', '127.0.0.1'].map((at) => new Error(`connect ECONNREFUSED ${at}:1`));
  expect(errorText(new AggregateError(refused))).toBe(
    'connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1',
  );
  expect(errorText(new AggregateError(refused, 'Both.'))).toBe('Both.');
  expect(errorText(new Error('gone'))).toBe('gone');
  expect(errorText('gone')).toBe('gone');
});
