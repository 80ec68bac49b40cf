import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '#contract/admin/endpoints.ts';
import {
  deleteCannedAnswer,
  filledAnswer,
  listCannedAnswers,
  mostCannedAnswers,
  saveCannedAnswer,
} from '#contract/tickets/endpoints.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

let app: TestApp;
let support: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
  support = await app.person('Sue', { staffRole: 'support' });
});
afterAll(() => app.close());

const thanks = { title: 'Thanks', text: 'Hi {name}, thank you.', language: 'en' as const };

test('answers are kept, changed and removed; the log says who did it', async () => {
  const { id } = await app.ok(support, saveCannedAnswer, thanks);
  await app.ok(support, saveCannedAnswer, { ...thanks, id, title: 'Thank you' });
  const { answers } = await app.ok(support, listCannedAnswers, {});
  expect(answers).toMatchObject([{ id, title: 'Thank you', text: thanks.text, language: 'en' }]);
  expect(filledAnswer(answers[0]!.text, 'Mia')).toBe('Hi Mia, thank you.');
  await app.ok(support, deleteCannedAnswer, { id });
  expect((await app.call(support, deleteCannedAnswer, { id })).reason).toBe('answer.notFound');
  expect((await app.call(support, saveCannedAnswer, { ...thanks, id })).reason).toBe('answer.notFound');
  const admin = await app.person('Ada', { staffRole: 'admin' });
  const { entries } = await app.ok(admin, listAudit, {});
  expect(entries.map(({ action, note }) => [action, note])).toEqual([
    ['answer.deleted', 'Thank you'],
    ['answer.saved', 'Thank you'],
    ['answer.saved', 'Thanks'],
  ]);
});

test('a text holds no other placeholder than the name, and has an end', async () => {
  const save = (words: object) => app.call(support, saveCannedAnswer, { ...thanks, ...words });
  for (const [field, value] of [
    ['text', 'Your card {card} …'],
    ['text', 'x'.repeat(2001)],
    ['text', ' '],
    ['title', ''],
    ['title', 'x'.repeat(81)],
    ['language', 'fr'],
  ] as const)
    expect(await save({ [field]: value })).toMatchObject({
      code: 422,
      data: { fields: { [field]: expect.any(String) } },
    });
});

test('a hundred are kept, also where two are written at once', async () => {
  const { answers } = await app.ok(support, listCannedAnswers, {});
  for (let n = answers.length; n < mostCannedAnswers - 1; n += 1)
    await app.ok(support, saveCannedAnswer, thanks);
  const last = await Promise.all([1, 2].map(() => app.call(support, saveCannedAnswer, thanks)));
  expect(last.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(last.find(({ code }) => code === 422)!.reason).toBe('answer.tooMany');
  expect((await app.ok(support, listCannedAnswers, {})).answers).toHaveLength(mostCannedAnswers);
});
