/**
 * Holds the first load of the pages that people open first to a budget: how many bytes a browser fetches,
 * packed, and in how many requests before the page shows, which takes no script of the app; how many bytes of
 * scripts before it works, and all its requests. Reads the build: run it with `--build`.
 */
import path from 'node:path';
import { firstLoadsOf, type FirstLoad } from './web-build/first-load.ts';

/** Where every page shall come to. */
const aim: FirstLoad = { shownBytes: 70_000, shownRequests: 12, scriptBytes: 110_000, requests: 12 };

/**
 * The budget until then. Raise a figure only if others shrink by more: when the parts that every page needs
 * became a separate file, home paid 5 kB and a request, and the chat saved 26 kB and two. Drawing the first
 * page and its shell in slices took 0.4 kB; refusals that stay while they are fresh took 0.1 kB. Showing a
 * page what changed since its reads, and refusals that no field shows, took 1 kB; the offer of push messages
 * and the one form of a plan took 2 kB of the pages about rides.
 */
const budgets: Readonly<Record<string, FirstLoad>> = {
  '/': { shownBytes: 40_000, shownRequests: 3, scriptBytes: 179_000, requests: 11 },
  '/intro': { shownBytes: 38_000, shownRequests: 3, scriptBytes: 169_200, requests: 12 },
  '/pages/order/match': { shownBytes: 35_000, shownRequests: 4, scriptBytes: 227_500, requests: 18 },
  '/pages/order/detail': { shownBytes: 35_000, shownRequests: 4, scriptBytes: 250_300, requests: 21 },
  '/pages/chat/message': { shownBytes: 35_000, shownRequests: 4, scriptBytes: 196_700, requests: 14 },
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
