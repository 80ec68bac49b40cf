import { expect, test, type TestInfo } from '@playwright/test';
import { engines, skipWithout } from './engines/engines.ts';
import { chromium, firefox } from './engines/puppeteer.ts';
import { inWindow, type Visitor } from './engines/visitor.ts';
import type { Engine } from './engines/window.ts';
import { ride } from './orders.ts';
import { emailedCode, post, serverUrl, signUpWithProfile, tomorrow } from './people.ts';

/*
 * The main path in three engines, each in a fresh profile: what a newcomer does first must work in all of
 * them, also where there is no WebGL.
 */

const mapMissing = 'Maps don’t work on this device.';

async function choosePlaces(visitor: Visitor): Promise<void> {
  await visitor.tap('button', /^From/);
  for (const [heading, text, found] of [
    ['Where from?', 'Mission Street', /Mission Street/],
    ['Where to?', 'Aptos Village', /Aptos/],
  ] as const) {
    await visitor.sees(heading);
    await visitor.fill('Street, place or airport', text);
    await visitor.tap('option', found);
  }
}

/** A guest opens the app, says what they need, and searches for rides of tomorrow. */
async function search(visitor: Visitor): Promise<void> {
  await visitor.open('/');
  await visitor.tap('button', 'I need a ride');
  await choosePlaces(visitor);
  await visitor.tap('button', 'Tomorrow');
  await visitor.tap('button', /^See .*rides?$/);
}

/** Shows more rides until that of a driver is among them: a server may still have those of earlier walks. */
async function lookFor(visitor: Visitor, driver: string): Promise<void> {
  const ask = ['button', 'Request this ride'] as const;
  await visitor.seesMore(...ask, 0);
  while ((await visitor.item(driver).count(...ask)) === 0) {
    const shown = await visitor.count(...ask);
    await visitor.tap('button', 'Show more');
    await visitor.seesMore(...ask, shown);
  }
}

/** Asks for a driver's ride, and signs up on the way. */
async function askAsNewcomer(visitor: Visitor, driver: string): Promise<void> {
  await lookFor(visitor, driver);
  await visitor.item(driver).tap('button', 'Request this ride');
  const email = `wilma.${Math.random().toString(36).slice(2, 8)}@example.com`;
  await visitor.fill('Email', email);
  await visitor.tap('button', /^Continue$/);
  await visitor.sees('Enter the code');
  await visitor.fill('6-digit code', await emailedCode(email));
  await visitor.fill('First name', 'Wilma');
  await visitor.tap('button', 'Save and continue');
  await visitor.dialog.tap('button', /^Request/);
  await visitor.sees(`Request sent to ${driver}`);
  // The page of the request opens by itself: what is opened before that is left again.
  await visitor.sees(/^You requested a seat/);
}

async function writeToDriver(visitor: Visitor, driver: string): Promise<void> {
  await visitor.open('/pages/chat/chat');
  await visitor.tap('link', new RegExp(`${driver}.*Before joining`));
  await visitor.fill('Write a message', 'Room for a surfboard?');
  await visitor.tap('button', /^Send$/);
  await visitor.sees('Room for a surfboard?');
  await visitor.sees(/^Sent$/);
}

async function cancel(visitor: Visitor): Promise<void> {
  await visitor.open('/pages/order/order?role=passenger');
  await visitor.tap('link', /Mission Street/);
  await visitor.tap('button', /^Cancel/);
  await visitor.dialog.tap('button', /^Cancel/);
  await visitor.sees(/^Canceled$/);
}

async function offerRide(visitor: Visitor): Promise<void> {
  await visitor.open('/');
  await visitor.tap('radio', /^Driver$/);
  await visitor.sees('Where are you driving?');
  await choosePlaces(visitor);
  await visitor.tap('link', 'Offer this ride');
  await visitor.tap('button', 'Review your ride');
  await visitor.tap('button', 'Publish this ride');
  await visitor.sees('Your ride is live');
}

const mainPath = async (visitor: Visitor, driver: string): Promise<void> => {
  await test.step('a guest looks for a ride and sees some', () => search(visitor));
  await test.step('who asks for one signs up by an emailed code', () => askAsNewcomer(visitor, driver));
  await test.step('writes to its driver', () => writeToDriver(visitor, driver));
  await test.step('cancels', () => cancel(visitor));
  await test.step('and offers a ride', () => offerRide(visitor));
};

/** Publishes a ride of tomorrow for the newcomer to find. @returns its driver's name. */
async function publishRide(): Promise<string> {
  const { accessToken, name } = await signUpWithProfile('Dina');
  await post('/order/create', { order: { ...(await ride()), departsAt: await tomorrow(40) } }, accessToken);
  return name;
}

const of = (info: TestInfo, drawsMaps: boolean) => ({
  url: serverUrl(),
  file: info.outputPath('failed.png'),
  drawsMaps,
});

const walk = (engine: Engine, drawsMaps: boolean, path: (visitor: Visitor) => Promise<void>) =>
  inWindow(engine, of(test.info(), drawsMaps), path);

for (const engine of engines)
  test(`the main path in ${engine.name}`, async () => {
    skipWithout(engine);
    const driver = await publishRide();
    await walk(engine, true, async (visitor) => {
      await mainPath(visitor, driver);
      expect(await visitor.linesWith(mapMissing)).toEqual([]);
    });
  });

for (const engine of [chromium, firefox])
  test(`the main path in ${engine.name} without WebGL, which the page says once`, async () => {
    skipWithout(engine);
    const driver = await publishRide();
    await walk(engine, false, async (visitor) => {
      await mainPath(visitor, driver);
      await visitor.open('/');
      await visitor.sees(mapMissing);
      expect(await visitor.linesWith(mapMissing)).toHaveLength(1);
    });
  });
