import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { engines, skipWithout } from './engines/engines.ts';
import { inWindow, type Visitor } from './engines/visitor.ts';
import { startFront, type Front } from './newer-build.ts';
import { serverUrl } from './people.ts';

/*
 * On a first visit the service worker is installed while a person fills in a form. Nothing may come between:
 * no panel, no other page, no lost key.
 */

/** For a quick run, fewer visits are enough: TEST_FIRST_VISITS=2. */
const visits = Number(process.env['TEST_FIRST_VISITS'] ?? 10);
/** A person has begun to type by the time that the worker is there, as on a slow line. */
const workerAfterMs = 3000;
/** All that follows the worker's start: the offer of a newer version, and 5 s later the other files. */
const settlesMs = 8000;
const installsWithinMs = 60_000;
const keysEveryMs = 250;

const forms = [
  { path: '/pages/login/signup', label: 'Email' },
  { path: '/pages/auth/auth', label: 'Email' },
] as const;
type Form = (typeof forms)[number];

const activated = `navigator.serviceWorker.controller?.state === 'activated'`;
const loadedAt = 'performance.timeOrigin';
/** A strip that waits while a field has the focus, and the panel that it opens. */
const newerVersion = /A newer version is ready|Update available/;

/**
 * Types while the worker is fetched, installed and activated, and on until all that follows is over.
 * @returns when the worker was at work, and what came between; nothing where nothing did.
 */
async function visit(
  visitor: Visitor,
  { path, label }: Form,
): Promise<{ afterMs: number; troubles: string[] }> {
  await visitor.open(path);
  await visitor.tap('textbox', label);
  const arrivedAt = await visitor.evaluate(loadedAt);
  const beganAt = performance.now();
  let [typed, afterMs] = ['', Number.POSITIVE_INFINITY];
  for (let ms = 0; ms < Math.min(afterMs + settlesMs, installsWithinMs); ms = performance.now() - beganAt) {
    const key = String.fromCodePoint(97 + (typed.length % 26));
    await visitor.type(key);
    typed += key;
    if (afterMs > ms && (await visitor.evaluate(activated)) === true) afterMs = ms;
    await sleep(keysEveryMs);
  }
  await visitor.evaluate('document.activeElement?.blur()');
  await sleep(keysEveryMs);
  const [address, value] = [await visitor.address(), await visitor.valueOf(label)];
  const troubles = [
    ...(afterMs < installsWithinMs ? [] : ['the service worker did not come']),
    ...(address === path ? [] : [`the address is ${address}`]),
    ...((await visitor.evaluate(loadedAt)) === arrivedAt ? [] : ['the page was loaded again']),
    ...(value === typed ? [] : [`“${typed}” was typed, and the field holds “${value ?? 'nothing'}”`]),
    ...(await visitor.linesWith(newerVersion)),
  ];
  return { afterMs, troubles };
}

let front: Front;
test.beforeAll(async () => {
  front = await startFront(serverUrl(), { workerAfterMs });
});
test.afterAll(() => front.close());

for (const engine of engines)
  test(`${visits} first visits in ${engine.name} with a form being filled in: none is interrupted`, async () => {
    skipWithout(engine);
    test.setTimeout(visits * 180_000);
    const interrupted: string[][] = [];
    const atWork: string[] = [];
    for (let index = 0; index < visits; index++) {
      const file = test.info().outputPath(`failed-${index + 1}.png`);
      await inWindow(engine, { url: front.url, file }, async (visitor) => {
        const { afterMs, troubles } = await visit(visitor, forms[index % forms.length]!);
        atWork.push(`${(afterMs / 1000).toFixed(1)} s`);
        if (troubles.length > 0) interrupted.push(troubles);
      });
    }
    process.stdout.write(`${engine.name}: the worker was at work after ${atWork.join(', ')}\n`);
    expect(interrupted).toEqual([]);
  });
