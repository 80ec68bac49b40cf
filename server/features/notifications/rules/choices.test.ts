import { expect, test } from 'vitest';
import { firstChoices } from '#contract/notifications/endpoints.ts';
import { completeChoices, type SavedChoices } from './choices.ts';

test('what was saved before there was more to choose is kept, the rest is as at first', () => {
  const saved: SavedChoices = {
    agreed: true,
    kinds: { ask: { email: false, sms: true } },
    quietHours: { ...firstChoices.quietHours, on: true },
    location: { nearHome: true, nearWork: false, withinMetres: 1_600 },
  };
  const choices = completeChoices(saved);
  expect(choices.kinds.ask).toEqual({ push: true, email: false, sms: true });
  // Each channel was a choice of its own.
  expect(choices.emailsBesidePush).toBe(true);
  expect(choices.kinds.reminder).toEqual(firstChoices.kinds.reminder);
  expect(choices.location).toEqual({
    nearHome: true,
    nearWork: false,
    nearOther: false,
    of: 'both',
    withinMetres: 1_600,
  });
  expect(completeChoices(null)).toEqual(firstChoices);
});
