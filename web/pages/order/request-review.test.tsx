import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { stubBrowser } from '../../core/stub-browser.ts';
import type { Plan } from '../../features/planning/use-plan.ts';
import type { ReviewDialog } from '../../features/planning/review-dialog.tsx';

stubBrowser();
// The clock of the formats needs a browser to be drawn, and so does a dialog: its facts are what matters.
vi.mock('react', async (read) => {
  const { withServerSnapshots } = await import('../../core/stub-browser.ts');
  return withServerSnapshots(await read());
});
vi.mock('../../features/planning/review-dialog.tsx', () => ({
  ReviewDialog: ({ facts }: Parameters<typeof ReviewDialog>[0]) =>
    facts.map(({ label, value }) => `${label}: ${value}`).join('; '),
}));
const { startWords } = await import('../../core/i18n.ts');
const { emptyPlan } = await import('../../features/planning/plan-values.ts');
const { RequestReview } = await import('./request-review.tsx');

beforeAll(() => startWords(['common', 'planning', 'rides']));

const place = { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.04, lat: 36.97 };
const factsOf = (walkMetres: number): string => {
  const values = { ...emptyPlan.passenger, walkMetres };
  const input = { earliestAt: '2026-11-24T17:00:00.000Z', latestAt: '2026-11-24T18:00:00.000Z' };
  return renderToStaticMarkup(
    <RequestReview
      ends={{ from: place, to: place }}
      plan={{ values, zone: 'America/Los_Angeles' } as Plan}
      input={input as Parameters<typeof RequestReview>[0]['input']}
      review={{ open: true, repeatFacts: [] } as unknown as Parameters<typeof RequestReview>[0]['review']}
    />,
  );
};

test('a walk is reviewed in minutes, as it was asked', () => {
  expect(factsOf(600)).toContain('Walking limit: 8 min;');
  expect(factsOf(0)).toContain('Walking limit: No walk;');
});
