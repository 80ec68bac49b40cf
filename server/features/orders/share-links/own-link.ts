import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { readLink } from '#contract/rides/share-links.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { readShortCode, shortCodeOf } from '../../../platform/security/short-code.ts';
import { orderNotFound } from '../order-refusals.ts';
import { readOrderNumber } from '../rules/order-number.ts';
import type { FoundOrder } from '../visible-order.ts';
import { findOrder, isOpen, ownerOf } from './open-link.ts';
import * as store from './store.ts';

/** 22 characters of base64url carry 132 bits. */
const codeLength = 22;

/** The link to one's own order. Refuses `order.notFound`. */
export async function readOwnLink(
  app: App,
  orderId: string,
  personId: string,
): Promise<OutputOf<typeof readLink>> {
  await findOwn(app, orderId, personId);
  return viewLink(app, orderId);
}

/** Makes a link to one's own order, or replaces it. Refuses `order.notFound`, `link.over`. */
export async function makeLink(
  app: App,
  { id: orderId, renew }: { id: string; renew: boolean },
  ownerId: string,
): Promise<OutputOf<typeof readLink>> {
  const { transact, clock } = app;
  if (!isOpen(await findOwn(app, orderId, ownerId)))
    throw movedOn('link.over', 'This ride can’t be joined anymore.');
  const id = randomUUID();
  const [[code], [short]] = await Promise.all([codesOf(app, id), shortsOf(app, id)]);
  const [codeHash, shortHash] = [hashSecret(code), hashSecret(short)];
  const before = await store.linkOf(app.db, orderId);
  // A link whose key has ended still opens, but cannot be shown again.
  const isLost = before !== null && (await codeOf(app, before)) === null;
  await transact('make link', async (tx) => {
    if (renew || isLost) await store.dropLink(tx, orderId);
    await store.insertLink(tx, { id, orderId, ownerId, codeHash, shortHash, madeAt: clock.now() });
  });
  return viewLink(app, orderId);
}

async function findOwn({ db }: App, orderId: string, personId: string): Promise<FoundOrder> {
  const found = await findOrder(db, orderId);
  if (found === null || ownerOf(found) !== personId) throw orderNotFound();
  return found;
}

async function viewLink(app: App, orderId: string): Promise<OutputOf<typeof readLink>> {
  const link = await store.linkOf(app.db, orderId);
  const code = link === null ? null : await codeOf(app, link);
  if (link === null || code === null) return { path: null, short: null, madeAt: null };
  const shorts = await shortsOf(app, link.id);
  const short = shorts.find((each) => hashSecret(each) === link.shortHash) ?? shorts[0];
  return { path: pathOf(code), short: `/r/${short}`, madeAt: link.madeAt.toISOString() };
}

/**
 * Where a short address leads: to the link behind its code (null where there is none), or, for an order
 * number, to the page of the order, which shows it to those who may see it.
 */
export async function pathBehindShortCode(app: App, typed: string): Promise<string | null> {
  const orderNumber = readOrderNumber(typed);
  if (orderNumber !== null) return `/pages/order/detail?id=${orderNumber}`;
  const code = readShortCode(typed);
  const link = code === null ? null : await store.linkByShortHash(app.db, hashSecret(code));
  const linkCode = link === null ? null : await codeOf(app, link);
  return linkCode === null ? null : pathOf(linkCode);
}

const pathOf = (code: string): string => `/pages/order/linked?code=${code}`;

/** The short codes of a link, by each key that verifies; a new link gets the first. */
async function shortsOf({ signedTokens }: App, linkId: string): Promise<[string, ...string[]]> {
  const [first, ...others] = await signedTokens.derivations('short order link', linkId);
  return [shortCodeOf(first), ...others.map(shortCodeOf)];
}

/**
 * The codes of a link, by each key that verifies; a new link gets the first. They are derived from the link's
 * id: its owner can see its code again, and the tables hold only a hash.
 */
async function codesOf({ signedTokens }: App, linkId: string): Promise<[string, ...string[]]> {
  const [first, ...others] = await signedTokens.derivations('order link', linkId);
  return [first.slice(0, codeLength), ...others.map((each) => each.slice(0, codeLength))];
}

/** The code of a link, by the key with which it was made; null if that key has ended. */
async function codeOf(
  app: App,
  { id, codeHash }: Pick<store.LinkRow, 'id' | 'codeHash'>,
): Promise<string | null> {
  const codes = await codesOf(app, id);
  return codes.find((each) => hashSecret(each) === codeHash) ?? null;
}
