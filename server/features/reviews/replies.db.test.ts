import { afterAll, beforeAll, expect, test } from 'vitest';
import { listReports } from '#contract/admin/endpoints.ts';
import { createReview, listReviews, replyToReview, reportReview } from '#contract/reviews/endpoints.ts';
import { setStage, type Stage } from '../../testing/access-stage.ts';
import { openTestHouse, type TestHouse } from '../../testing/house.ts';

let house: TestHouse;
let stage: Stage;
let reviewId: string;

beforeAll(async () => {
  house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
  stage = await setStage(house, 'finished');
  const { driver, passenger } = stage.people;
  const { bookingId } = stage;
  const written = await house.ok(passenger, createReview, { bookingId, stars: 2, words: 'Came late' });
  reviewId = written.id;
  // Nobody may answer, report or know of what is not public yet.
  for (const endpoint of [replyToReview, reportReview])
    expect(
      await house.call(
        driver,
        endpoint as typeof replyToReview,
        { reviewId, words: 'x', reason: 'x' } as never,
      ),
    ).toMatchObject({ code: 404, reason: 'review.notFound' });
  await house.ok(driver, createReview, { bookingId, stars: 5 });
});
afterAll(() => house.close());

test('the person it is about answers once, for everybody to read', async () => {
  const { driver, passenger, stranger } = stage.people;
  const seen = (await house.ok(driver, listReviews, { userId: driver.id })).reviews;
  expect(seen).toMatchObject([{ id: reviewId, reply: '', mayReply: true, mayReport: true }]);
  for (const person of [passenger, stranger])
    expect(await house.call(person, replyToReview, { reviewId, words: 'No' })).toMatchObject({ code: 404 });
  expect(await house.call(driver, replyToReview, { reviewId, words: '  ' })).toMatchObject({
    code: 422,
    data: { fields: { words: 'Please enter a reply.' } },
  });
  const replied = await house.ok(driver, replyToReview, { reviewId, words: 'There was a jam, sorry.' });
  expect(replied).toMatchObject({ reply: 'There was a jam, sorry.', mayReply: false });
  expect(await house.call(driver, replyToReview, { reviewId, words: 'And …' })).toMatchObject({
    code: 409,
    reason: 'review.replied',
  });
  expect((await house.ok(stranger, listReviews, { userId: driver.id })).reviews).toMatchObject([
    { reply: 'There was a jam, sorry.', mayReply: false },
  ]);
});

test('a report reaches the admins with what the review says, once by each person', async () => {
  const { driver, passenger, admin } = stage.people;
  const reason = 'I was on time.';
  expect(await house.call(passenger, reportReview, { reviewId, reason })).toMatchObject({ code: 404 });
  const reported = await house.ok(driver, reportReview, { reviewId, reason });
  expect(reported.mayReport).toBe(false);
  expect(await house.call(driver, reportReview, { reviewId, reason })).toMatchObject({
    code: 409,
    reason: 'review.reported',
  });
  const { reports } = await house.ok(admin, listReports, {});
  expect(reports).toMatchObject([
    { subject: { id: passenger.id }, reporter: { id: driver.id }, words: reason, quote: '2 ★ Came late' },
  ]);
});
