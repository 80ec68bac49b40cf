/**
 * Holds the first load of the pages that people open first to a budget: how many bytes of scripts a browser
 * fetches, packed, and how many requests it makes, before the page is there. Reads the build: run it with
 * `--build`.
 */
import path from 'node:path';
import { firstLoadsOf, type FirstLoad } from './web-build/first-load.ts';

/** Where every page shall come to. */
const aim: FirstLoad = { scriptBytes: 110_000, requests: 12 };

/** What they may take until then: these figures only shrink. */
const budgets: Readonly<Record<string, FirstLoad>> = {
  '/': { scriptBytes: 170_000, requests: 12 },
  '/intro': { scriptBytes: 170_000, requests: 13 },
  '/pages/order/match': { scriptBytes: 221_000, requests: 20 },
  '/pages/order/detail': { scriptBytes: 248_000, requests: 24 },
  '/pages/chat/message': { scriptBytes: 249_000, requests: 22 },
};

const shown = ({ scriptBytes, requests }: FirstLoad) =>
  `${(scriptBytes / 1000).toFixed(1)} kB of scripts, ${requests} requests`;

const loads = firstLoadsOf(path.resolve(import.meta.dirname, '..', 'dist'), Object.keys(budgets));
process.stdout.write(`aim: ${shown(aim)}\n`);
let isOver = false;
for (const [address, load] of loads) {
  const budget = budgets[address] ?? aim;
  const isWithin = load.scriptBytes <= budget.scriptBytes && load.requests <= budget.requests;
  isOver ||= !isWithin;
  process.stdout.write(`${address}: ${shown(load)}${isWithin ? '' : `, over its ${shown(budget)}`}\n`);
}
process.exitCode = isOver ? 1 : 0;
