import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Reads whose failure a screen need not say, each with the reason: badges and counts that show nothing until
 * they are known, hints at a form that works without them, and reads that are tried again by themselves.
 */
const mayFailQuietly: Record<string, string> = {
  'web/app/announcement-bars.tsx': 'asked again every five minutes',
  'web/core/config.ts': 'asked again every half hour',
  'web/pages/about/about.tsx': "the server's version beside the app's own",
  'web/pages/account/notification-settings.tsx': 'hides two hints about saved places',
  'web/pages/carpool/home-shortcuts.tsx': 'places and trips to fill in by one tap; the fields take them too',
  'web/pages/chat/message-actions.tsx': 'whether "block" or "unblock" is offered; both are safe to press',
  'web/pages/discover/discover.tsx': 'a badge',
  'web/pages/discover/commute-actions.tsx': 'whether the route is saved already; saving twice is refused',
  'web/pages/order/detail.tsx': 'the proposed route on the map, told in words as well',
  'web/pages/order/rebooking.tsx': 'the request behind a lost place; the place itself is shown',
  'web/pages/order/use-event-prefill.ts': 'a failure is a toast, the form can be filled in by hand',
  'web/features/access/allowed-domains.ts': 'a hint; the server checks the address',
  'web/features/access/oauth-sign-ins.tsx': 'email sign-in works without it',
  'web/features/admin/overview.tsx': 'counts beside links that lead to pages with a failed state',
  'web/features/contacts/my-qr.tsx': 'asked again every 15 seconds; the code itself has a failed state',
  'web/features/contacts/current-relations.ts': 'the relation as it was in the answer to the search',
  'web/features/demo/clock-dialog.tsx': 'the demo',
  'web/features/discover/use-area-route.ts': 'a line on the map',
  'web/features/matching/audience-line.tsx': 'one line of interest, no task',
  'web/features/notifications/push-offer.tsx': 'an offer, which is made again at the next moment',
  'web/features/people/menu.tsx': 'badges',
  'web/features/planning/more-part.tsx': "an event's name; without it the row says that there is one",
  'web/features/planning/preferences-part.tsx': 'one more choice for women',
  'web/features/planning/use-can-be-paid.ts': 'null is "not known"; the server decides at publishing',
  'web/features/rides/board/boarding-proof.tsx':
    'the key to check codes offline; without it the server checks',
  'web/features/rides/live/car.ts': 'asked again every 20 seconds',
  'web/features/rides/change/change-card.tsx': 'the small map above a change that is told in words',
  'web/features/discover/people-waiting.tsx': 'suggestions below the search',
  'web/features/rides/live/step-news.tsx': 'what happened meanwhile, below a refusal that is told',
  'web/features/safety/emergency.tsx': 'the call to the emergency number works without it',
  'web/domain/unread-badges.tsx': 'badges',
};

/** Skeletons over something else than a read, whose failure the same page draws by other means. */
const otherSkeletons: readonly string[] = [
  'web/pages/auth/oauth.tsx Page', // a sign-in under way; its refusal is the page's EmptyState
  'web/features/access/proof-dialog.tsx ProofDialog', // closes with a message when it cannot be read
  'web/core/settled.tsx Settled', // waits for the parts of a page, each of which says its own failure
  'web/app/pending.tsx Pending', // a page's own code; the router draws RouteError when it fails
  'web/pages/discover/discover.tsx Page', // the code of another view; the router draws RouteError when it fails
  'web/pages/chat/share-place.tsx SharePlace', // the code of what is chosen; the router draws RouteError when it fails
];

const files = globSync('web/**/*.{ts,tsx}')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The functions of a file, found by the formatter's layout: they begin and end at the left edge. */
function functionsOf(text: string): { name: string; body: string }[] {
  return [...text.matchAll(/^(?:export )?(?:async )?function (\w+)[\s\S]*?^}$/gm)].map(
    ([body, name = '']) => ({ name, body }),
  );
}

test('every skeleton has a failed state beside it', () => {
  const endless = files.flatMap(({ path, text }) =>
    functionsOf(text)
      .filter(({ body }) => body.includes('<Skeleton') && !body.includes('<ErrorState'))
      .map(({ name }) => `${path} ${name}`),
  );
  expect(endless.filter((each) => !otherSkeletons.includes(each))).toEqual([]);
});

/** The reads of a file that ignore their error. */
function unwatchedReads(text: string): string[] {
  const taken = [...text.matchAll(/const \{([^}]*)\} = useCall\(/g)]
    .map(([, names = '']) => names.trim())
    .filter((names) => !/\berror\b/.test(names));
  const named = [...text.matchAll(/const (\w+) = useCall\(([\s\S]*?)\)(\.data)?[?;.]/g)]
    .filter(
      ([, name = '', , dataAlone]) =>
        dataAlone !== undefined ||
        !new RegExp(
          `\\b${name}\\.error\\b|=\\{${name}\\}|=\\{\\{ \\.\\.\\.${name}\\b|bothOf\\([^)]*\\b${name}\\b`,
        ).test(text),
    )
    .map(([, name = '']) => name);
  const unnamed = [...text.matchAll(/^ {2}useCall\(/gm)].map(() => 'unnamed');
  return [...taken, ...named, ...unnamed];
}

test('every read says when it fails, or is listed with the reason why it need not', () => {
  const unwatched = files
    .filter(({ path }) => path !== 'web/core/queries.ts')
    .map(({ path, text }) => ({ path, reads: unwatchedReads(text) }))
    .filter(({ reads }) => reads.length > 0);
  expect(unwatched.filter(({ path }) => !Object.hasOwn(mayFailQuietly, path))).toEqual([]);
  const paths = new Set(unwatched.map(({ path }) => path));
  expect(Object.keys(mayFailQuietly).filter((path) => !paths.has(path))).toEqual([]);
});
