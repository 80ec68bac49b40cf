import { QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sampleBooking, sampleRequest, sampleRide } from '#contract/rides/sample-order.ts';
import type { Request } from '#contract/rides/views.ts';
import { asked, stubBrowser } from '../../core/stub-browser.ts';

stubBrowser();
vi.stubGlobal('fetch', asked);
const navigate = vi.fn<(to: { to: string; search: { id: string } }) => Promise<void>>();
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));
const { queryClient } = await import('../../core/query-client.ts');
const { startWords } = await import('../../core/i18n.ts');
const { toast } = await import('../../ui/toasts.tsx');
const { useAskToJoin } = await import('./use-ask-to-join.ts');

beforeAll(() => startWords(['common', 'planning']));
beforeEach(() => navigate.mockReset().mockResolvedValue());

const ride = sampleRide();

/** What comes of asking for a seat, with what is said of it and the page that opens. */
async function outcomeOf(answer: object) {
  asked.mockImplementation(async () => Response.json(answer));
  const said: string[] = [];
  for (const kind of ['done', 'info', 'error', 'trouble'] as const)
    vi.spyOn(toast, kind).mockImplementation((words) => void said.push(`${kind}: ${words}`));
  let asking: ReturnType<typeof useAskToJoin>['ask'] | undefined;
  function Part() {
    asking = useAskToJoin().ask;
    return null;
  }
  renderToString(
    <QueryClientProvider client={queryClient}>
      <Part />
    </QueryClientProvider>,
  );
  const outcome = await asking!({ ride }, 'request', 'Hello');
  return { outcome, said, opened: navigate.mock.calls.map(([{ to, search }]) => `${to}?id=${search.id}`) };
}
const done = (request: Partial<Request>) => ({
  code: 200,
  info: 'OK',
  data: { order: sampleRequest({ id: 'request', ...request }) },
});
const ownRequest = '/pages/order/detail?id=request';

test('who has to pay first is told so, and their request opens', async () => {
  const bookings = [sampleBooking({ rideId: ride.id, state: 'requesting', awaits: 'payment' })];
  const { outcome, said, opened } = await outcomeOf(done({ state: 'requesting', bookings }));
  expect(outcome).toBe('toPay');
  expect(said).toEqual([expect.stringMatching(/^info: .*pay/i)]);
  expect(opened).toEqual([ownRequest]);
});

test('who is booked at once is told so, and their request opens', async () => {
  const { outcome, said, opened } = await outcomeOf(done({ state: 'joined', bookings: [] }));
  expect(outcome).toBe('joined');
  expect(said).toEqual([expect.stringContaining(`done: `)]);
  expect(opened).toEqual([ownRequest]);
});

test('who has asked stays where they are, also where another of their bookings waits for a payment', async () => {
  const bookings = [sampleBooking({ rideId: 'another', awaits: 'payment' })];
  const { outcome, said, opened } = await outcomeOf(done({ state: 'requesting', bookings }));
  expect(outcome).toBe('asked');
  expect(said).toEqual([expect.stringContaining(`done: `)]);
  expect(opened).toEqual([]);
});

test('a refusal opens nothing', async () => {
  const { outcome, opened } = await outcomeOf({ code: 409, info: 'This ride is full.', reason: 'ride.full' });
  expect(outcome).toBe(null);
  expect(opened).toEqual([]);
});
