import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { engines, skipWithout } from './engines/engines.ts';
import { inWindow, type Visitor } from './engines/visitor.ts';
import { serverUrl } from './people.ts';

/*
 * On a first visit the service worker is installed while a person fills in a form. Nothing may come between:
 * no panel, no other page, no lost key.
 */

/** Fewer visits are enough for a look: TEST_FIRST_VISITS=2. */
const visits = Number(process.env['TEST_FIRST_VISITS'] ?? 10);
/** Firefox offered its own first worker as a newer version 9 to 20 s after arrival once. */
const typingMs = 25_000;
const keysEveryMs = 250;

const forms = [
  { path: '/pages/login/signup', label: 'Email' },
  { path: '/pages/auth/auth', label: 'Email' },
] as const;
type Form = (typeof forms)[number];

/** Types for as long as the worker takes. @returns what came between; empty where nothing did. */
async function visit(visitor: Visitor, { path, label }: Form): Promise<string[]> {
  await visitor.open(path);
  await visitor.tap('textbox', label);
  let typed = '';
  for (const endsAt = performance.now() + typingMs; performance.now() < endsAt; await sleep(keysEveryMs)) {
    const key = String.fromCodePoint(97 + (typed.length % 26));
    await visitor.type(key);
    typed += key;
  }
  await visitor.finds('the service worker', `navigator.serviceWorker.controller?.state === 'activated'`);
  const [address, value] = [await visitor.address(), await visitor.valueOf(label)];
  return [
    ...(address === path ? [] : [`the address is ${address}`]),
    ...(value === typed ? [] : [`“${typed}” was typed, and the field holds “${value ?? 'nothing'}”`]),
    ...(await visitor.linesWith('Update available')),
  ];
}

for (const engine of engines)
  test(`${visits} first visits in ${engine.name} with a form being filled in: none is interrupted`, async () => {
    skipWithout(engine);
    test.setTimeout(visits * 180_000);
    const interrupted: string[][] = [];
    for (let index = 0; index < visits; index++) {
      const file = test.info().outputPath(`failed-${index + 1}.png`);
      await inWindow(engine, { url: serverUrl(), file }, async (visitor) => {
        const troubles = await visit(visitor, forms[index % forms.length]!);
        if (troubles.length > 0) interrupted.push(troubles);
      });
    }
    expect(interrupted).toEqual([]);
  });
