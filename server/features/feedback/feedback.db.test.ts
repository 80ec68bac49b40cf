import { afterAll, beforeAll, expect, test } from 'vitest';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { feedback as feedbackTable } from '../../schema/feedback.ts';
import { openTestHouse, type TestHouse } from '../../testing/house.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());

test('a message is kept once, however often it is sent with the same key', async () => {
  const mia = await house.person('Mia');
  const idempotencyKey = crypto.randomUUID();
  const message = { subject: 'Thanks', message: 'The app works.' };
  const [first, second] = await Promise.all([
    house.call(mia, postFeedback, message, { idempotencyKey }),
    house.call(mia, postFeedback, message, { idempotencyKey }),
  ]);
  const third = await house.call(mia, postFeedback, message, { idempotencyKey });
  expect(first.code === 200 || second.code === 200).toBe(true);
  expect(third.code).toBe(200);
  expect(await house.platform.db.select().from(feedbackTable)).toHaveLength(1);
});

test('an empty message is refused in the specification’s words, a guest is sent to sign in', async () => {
  const mia = await house.person('Mia');
  const empty = await house.call(mia, postFeedback, { subject: 'Hi', message: ' ' });
  expect(empty).toMatchObject({
    code: 422,
    reason: 'input.invalid',
    data: { fields: { message: 'Please leave a message.' } },
  });
  const guest = await house.call(null, postFeedback, { subject: 'Hi', message: 'Hello' });
  expect(guest).toMatchObject({ code: 400, reason: 'session.missing' });
});

test('the eleventh message within an hour has to wait', async () => {
  const busy = await house.person('Busy');
  for (let sent = 0; sent < 10; sent++)
    await house.ok(busy, postFeedback, { subject: 'Again', message: 'And again' });
  const refused = await house.call(busy, postFeedback, { subject: 'Again', message: 'And again' });
  expect(refused.code).toBe(429);
  house.clock.advance(3_600_001);
  await house.ok(busy, postFeedback, { subject: 'Later', message: 'After the hour' });
});
