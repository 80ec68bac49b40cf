import { afterAll, beforeAll, expect, test } from 'vitest';
import { listReports } from '#contract/admin/endpoints.ts';
import { createReview, listReviews, replyToReview, reportReview } from '#contract/reviews/endpoints.ts';
import { openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
let fixture: AccessFixture;
let reviewId: string;

beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
  fixture = await openAccessFixture(app, 'finished');
  const { driver, passenger } = fixture.people;
  const { bookingId } = fixture;
  const written = await app.ok(passenger, createReview, { bookingId, stars: 2, words: 'Came late' });
  reviewId = written.id;
  // A review that is not public yet cannot be answered, reported or seen.
  for (const endpoint of [replyToReview, reportReview])
    expect(await app.callUnchecked(driver, endpoint, { reviewId, words: 'x', reason: 'x' })).toMatchObject({
      code: 404,
      reason: 'review.notFound',
    });
  await app.ok(driver, createReview, { bookingId, stars: 5 });
});
afterAll(() => app.close());

test('the person it is about answers once, for everybody to read', async () => {
  const { driver, passenger, stranger } = fixture.people;
  const seen = (await app.ok(driver, listReviews, { userId: driver.id })).reviews;
  expect(seen).toMatchObject([{ id: reviewId, reply: '', mayReply: true, mayReport: true }]);
  for (const person of [passenger, stranger])
    expect(await app.call(person, replyToReview, { reviewId, words: 'No' })).toMatchObject({ code: 404 });
  expect(await app.call(driver, replyToReview, { reviewId, words: '  ' })).toMatchObject({
    code: 422,
    data: { fields: { words: 'Please enter a reply.' } },
  });
  const replied = await app.ok(driver, replyToReview, { reviewId, words: 'There was a jam, sorry.' });
  expect(replied).toMatchObject({ reply: 'There was a jam, sorry.', mayReply: false });
  expect(await app.call(driver, replyToReview, { reviewId, words: 'And …' })).toMatchObject({
    code: 409,
    reason: 'review.replied',
  });
  expect((await app.ok(stranger, listReviews, { userId: driver.id })).reviews).toMatchObject([
    { reply: 'There was a jam, sorry.', mayReply: false },
  ]);
});

test('a report reaches the admins with what the review says, once by each person', async () => {
  const { driver, passenger, admin } = fixture.people;
  const reason = 'I was on time.';
  expect(await app.call(passenger, reportReview, { reviewId, reason })).toMatchObject({ code: 404 });
  const reported = await app.ok(driver, reportReview, { reviewId, reason });
  expect(reported.mayReport).toBe(false);
  expect(await app.call(driver, reportReview, { reviewId, reason })).toMatchObject({
    code: 409,
    reason: 'review.reported',
  });
  const { reports } = await app.ok(admin, listReports, {});
  expect(reports).toMatchObject([
    { subject: { id: passenger.id }, reporter: { id: driver.id }, words: reason, quote: '2 ★ Came late' },
  ]);
});
