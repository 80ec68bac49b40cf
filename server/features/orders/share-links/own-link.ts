import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { readLink } from '#contract/rides/share-links.ts';
import type { Platform } from '../../../platform/platform.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { readShortCode, shortCodeOf } from '../../../platform/security/short-code.ts';
import { orderNotFound } from '../order-refusals.ts';
import { readOrderNumber } from '../rules/order-number.ts';
import type { FoundOrder } from '../visible-order.ts';
import { findOrder, isOpen, ownerOf, type ShareLinkContext } from './context.ts';
import * as store from './store.ts';

/** 22 characters of base64url carry 132 bits. */
const codeLength = 22;

/** The link to one's own order. Refuses `order.notFound`. */
export async function readOwnLink(
  { platform }: ShareLinkContext,
  orderId: string,
  personId: string,
): Promise<OutputOf<typeof readLink>> {
  await findOwn(platform, orderId, personId);
  return viewLink(platform, orderId);
}

/** Makes a link to one's own order, or replaces it. Refuses `order.notFound`, `link.over`. */
export async function makeLink(
  { platform }: ShareLinkContext,
  { id: orderId, renew }: { id: string; renew: boolean },
  ownerId: string,
): Promise<OutputOf<typeof readLink>> {
  const { transact, clock } = platform;
  if (!isOpen(await findOwn(platform, orderId, ownerId)))
    throw movedOn('link.over', 'This ride can’t be joined anymore.');
  const id = randomUUID();
  const codeHash = hashSecret(await codeOf(platform, id));
  const shortHash = hashSecret(await shortOf(platform, id));
  await transact(async (tx) => {
    if (renew) await store.dropLink(tx, orderId);
    await store.insertLink(tx, { id, orderId, ownerId, codeHash, shortHash, madeAt: clock.now() });
  });
  return viewLink(platform, orderId);
}

async function findOwn({ db }: Platform, orderId: string, personId: string): Promise<FoundOrder> {
  const found = await findOrder(db, orderId);
  if (found === null || ownerOf(found) !== personId) throw orderNotFound();
  return found;
}

async function viewLink(platform: Platform, orderId: string): Promise<OutputOf<typeof readLink>> {
  const link = await store.linkOf(platform.db, orderId);
  if (link === null) return { path: null, short: null, madeAt: null };
  const short = await shortOf(platform, link.id);
  if (link.shortHash === null) await store.keepShortHash(platform.db, link.id, hashSecret(short));
  return { path: await pathOf(platform, link.id), short: `/r/${short}`, madeAt: link.madeAt.toISOString() };
}

/**
 * Where a short address leads: to the link behind its code (null where there is none), or, for an order
 * number, to the page of the order, which shows it to those who may see it.
 */
export async function pathBehindShortCode(
  { platform }: ShareLinkContext,
  typed: string,
): Promise<string | null> {
  const orderNumber = readOrderNumber(typed);
  if (orderNumber !== null) return `/pages/order/detail?id=${orderNumber}`;
  const code = readShortCode(typed);
  const link = code === null ? null : await store.linkByShortHash(platform.db, hashSecret(code));
  return link === null ? null : pathOf(platform, link.id);
}

const pathOf = async (platform: Platform, linkId: string): Promise<string> =>
  `/pages/order/linked?code=${await codeOf(platform, linkId)}`;

const shortOf = async ({ signedTokens }: Platform, linkId: string): Promise<string> =>
  shortCodeOf(await signedTokens.derive('short order link', linkId));

/** The code is derived from the link's id: its owner can see it again, and the tables hold only a hash. */
const codeOf = async ({ signedTokens }: Platform, linkId: string): Promise<string> =>
  (await signedTokens.derive('order link', linkId)).slice(0, codeLength);
