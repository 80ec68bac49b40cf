import { afterAll, beforeAll, expect, test } from 'vitest';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { feedback as feedbackTable } from '../../../schema/moderation.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a message is kept once, however often it is sent with the same key', async () => {
  const mia = await app.person('Mia');
  const idempotencyKey = crypto.randomUUID();
  const message = { subject: 'Thanks', message: 'The app works.' };
  const [first, second] = await Promise.all([
    app.call(mia, postFeedback, message, { idempotencyKey }),
    app.call(mia, postFeedback, message, { idempotencyKey }),
  ]);
  const third = await app.call(mia, postFeedback, message, { idempotencyKey });
  expect(first.code === 200 || second.code === 200).toBe(true);
  expect(third.code).toBe(200);
  expect(await app.platform.db.select().from(feedbackTable)).toHaveLength(1);
});

test('an empty message is refused in the specification’s words, a guest is sent to sign in', async () => {
  const mia = await app.person('Mia');
  const empty = await app.call(mia, postFeedback, { subject: 'Hi', message: ' ' });
  expect(empty).toMatchObject({
    code: 422,
    reason: 'input.invalid',
    data: { fields: { message: 'Please leave a message.' } },
  });
  const guest = await app.call(null, postFeedback, { subject: 'Hi', message: 'Hello' });
  expect(guest).toMatchObject({ code: 400, reason: 'session.missing' });
});

test('the eleventh message within an hour has to wait', async () => {
  const busy = await app.person('Busy');
  for (let sent = 0; sent < 10; sent++)
    await app.ok(busy, postFeedback, { subject: 'Again', message: 'And again' });
  const refused = await app.call(busy, postFeedback, { subject: 'Again', message: 'And again' });
  expect(refused.code).toBe(429);
  app.clock.advance(3_600_001);
  await app.ok(busy, postFeedback, { subject: 'Later', message: 'After the hour' });
});
