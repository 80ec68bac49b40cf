/**
 * Holds the first load of the pages that people open first to a budget: how many bytes a browser fetches,
 * packed, and in how many requests before the page shows, which takes no script of the app; how many bytes of
 * scripts before it works, and all its requests. Reads the build: run it with `--build`.
 */
import path from 'node:path';
import { firstLoadsOf, type FirstLoad } from './web-build/first-load.ts';

/** Where every page shall come to. */
const aim: FirstLoad = { shownBytes: 70_000, shownRequests: 12, scriptBytes: 110_000, requests: 12 };

/** What they may take until then: these figures only shrink. */
const budgets: Readonly<Record<string, FirstLoad>> = {
  '/': { shownBytes: 40_500, shownRequests: 3, scriptBytes: 171_800, requests: 10 },
  '/intro': { shownBytes: 38_500, shownRequests: 3, scriptBytes: 171_700, requests: 12 },
  '/pages/order/match': { shownBytes: 35_500, shownRequests: 4, scriptBytes: 224_000, requests: 20 },
  '/pages/order/detail': { shownBytes: 35_500, shownRequests: 4, scriptBytes: 242_700, requests: 20 },
  '/pages/chat/message': { shownBytes: 35_500, shownRequests: 4, scriptBytes: 220_800, requests: 16 },
};

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const shown = ({ shownBytes, shownRequests, scriptBytes, requests }: FirstLoad) =>
  `shows after ${kilobytes(shownBytes)} in ${shownRequests} requests, works after ${kilobytes(scriptBytes)} of ` +
  `scripts, ${requests} requests in all`;

const loads = firstLoadsOf(path.resolve(import.meta.dirname, '..', 'dist'), Object.keys(budgets));
process.stdout.write(`aim: ${shown(aim)}\n`);
let isOver = false;
for (const [address, load] of loads) {
  const budget = budgets[address] ?? aim;
  const isWithin = (['shownBytes', 'shownRequests', 'scriptBytes', 'requests'] as const).every(
    (figure) => load[figure] <= budget[figure],
  );
  isOver ||= !isWithin;
  process.stdout.write(`${address}: ${shown(load)}${isWithin ? '' : `, over its ${shown(budget)}`}\n`);
}
process.exitCode = isOver ? 1 : 0;
