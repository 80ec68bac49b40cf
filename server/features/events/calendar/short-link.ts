import type { App } from '../../../app-type.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import { readShortCode, shortCodeOf } from '../../../platform/security/short-code.ts';
import { tokenOf } from './find-event.ts';
import * as store from './store.ts';

/**
 * The short path of an event's link, for posters and chats. Keeps the hash that finds the event by its code
 * when the path is first shown, and again after the event has become public or ceased to be.
 */
export async function shortPathOf(
  app: App,
  event: Pick<store.EventColumns, 'id' | 'visibility' | 'shortHash'>,
): Promise<string> {
  const codes = await codesOf(app, event);
  // A path that has been shown stays, also after the key has been replaced.
  const shown = codes.find((each) => hashSecret(each) === event.shortHash);
  const code = shown ?? codes[0];
  if (shown === undefined) await store.updateEvent(app.db, event.id, { shortHash: hashSecret(code) });
  return `/e/${code}`;
}

/** The address of the event behind a short code, with the secret of one that is not public; null for none. */
export async function pathBehindShortCode(app: App, typed: string): Promise<string | null> {
  const code = readShortCode(typed);
  if (code === null) return null;
  const event = await store.eventByShortHash(app.db, hashSecret(code));
  // A code from before a public event became private opens it no more.
  if (event === null || !(await codesOf(app, event)).includes(code)) return null;
  const { id, visibility } = event;
  const query = new URLSearchParams({ id });
  if (visibility !== 'public') query.set('token', await tokenOf(app, id));
  return `/pages/events/events?${query.toString()}`;
}

async function codesOf(
  app: App,
  { id, visibility }: Pick<store.EventColumns, 'id' | 'visibility'>,
): Promise<[string, ...string[]]> {
  const [first, ...others] = await app.signedTokens.derivations(`short link of ${visibility} event`, id);
  return [shortCodeOf(first), ...others.map(shortCodeOf)];
}
