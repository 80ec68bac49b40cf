import { expect, test } from 'vitest';
import { changedDraft } from './changed-draft.ts';
import type { PlanValues } from './plan-values.ts';

const draft = {
  local: '2026-11-24T23:50',
  seats: 3,
  offerCents: 650,
  walkMetres: 300,
} as PlanValues;
const zone = 'America/Los_Angeles';

test.each([
  [{ kind: 'leaveLater', minutes: 20 }, { local: '2026-11-25T00:10' }],
  [{ kind: 'leaveEarlier', minutes: 55 }, { local: '2026-11-24T22:55' }],
  [{ kind: 'offerMore', cents: 150 }, { offerCents: 800 }],
  [{ kind: 'fewerSeats', seats: 2 }, { seats: 1 }],
  [{ kind: 'moreDetour', minutes: 5 }, {}],
  // The next of the choices that is enough.
  [{ kind: 'walkMore', metres: 250 }, { walkMetres: 600 }],
] as const)('%j', (change, expected) => expect(changedDraft(draft, change, zone)).toEqual(expected));
