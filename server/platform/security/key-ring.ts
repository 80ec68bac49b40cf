import { generateKeyPairSync } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { z } from 'zod';
import { settings } from '../../schema/platform.ts';
import { dayMs, later, minuteMs, secondMs, type Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { replaceSetting, secretMadeOnce, writeSetting } from '../database/settings.ts';
import { newSecret } from './session.ts';

/** A key of this installation that signs what people hold, and that can be replaced. */
interface KeyKind {
  /** Its setting: the newest key. */
  setting: string;
  make(): string;
  /** How long a new key is known before it signs. */
  announcedMs: number;
  /** How long a key that signs no more still verifies: as long as the longest of what it signed. */
  verifiesMs: number;
}

const makeKeyPair = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

/** How old the keys that a process knows may be. */
const refreshMs = 30 * secondMs;

export const keyKinds = {
  /** Links that carry ids, codes, PINs. Links for unsubscribing live the longest. */
  signing: { setting: 'signingKey', make: newSecret, announcedMs: 2 * minuteMs, verifiesMs: 400 * dayMs },
  /** Boarding codes: drivers' phones fetch the public keys a day before they check without a connection. */
  boarding: { setting: 'boardingKey', make: makeKeyPair, announcedMs: 2 * dayMs, verifiesMs: dayMs },
} as const satisfies Record<string, KeyKind>;
export type KeyName = keyof typeof keyKinds;

const formerKeys = z.array(z.object({ secret: z.string(), signsUntil: z.iso.datetime() }));
type FormerKeys = z.output<typeof formerKeys>;
const formerOf = ({ setting }: KeyKind): string => `${setting}.former`;

export interface KeyRing {
  /** The key that signs now. */
  signing(): Promise<string>;
  /** All keys that verify now, the one that signs first. */
  verifying(): Promise<[string, ...string[]]>;
}

interface Keys {
  newest: string;
  /** The latest first. */
  former: FormerKeys;
}

async function readKeys(db: Db, kind: KeyKind): Promise<Keys> {
  // One statement: a key that is replaced meanwhile is in one of the two.
  const read = async () => {
    const rows = await db
      .select()
      .from(settings)
      .where(inArray(settings.name, [kind.setting, formerOf(kind)]));
    return new Map(rows.map(({ name, value }) => [name, value]));
  };
  let found = await read();
  if (!found.has(kind.setting)) {
    await secretMadeOnce(db, kind.setting, kind.make);
    found = await read();
  }
  return {
    newest: z.string().parse(found.get(kind.setting)),
    former: formerKeys.parse(found.get(formerOf(kind)) ?? []),
  };
}

const stillVerifies = (kind: KeyKind, now: Date) => (key: FormerKeys[number]) =>
  later(new Date(key.signsUntil), kind.verifiesMs) > now;

/** The keys in the order in which they verify: the one that signs first. */
function inOrder(kind: KeyKind, { newest, former }: Keys, now: Date): [string, ...string[]] {
  // The oldest of those whose time has not come signs; the newest where there is none.
  const signing = former.findLast(({ signsUntil }) => new Date(signsUntil) > now)?.secret ?? newest;
  const all = [newest, ...former.filter(stillVerifies(kind, now)).map(({ secret }) => secret)];
  return [signing, ...all.filter((each) => each !== signing)];
}

/** The keys of one kind. The first use makes the first one in the database: every process has the same. */
export function createKeyRing(db: Db, clock: Clock, name: KeyName): KeyRing {
  const kind: KeyKind = keyKinds[name];
  let known: { keys: Promise<Keys>; atMs: number } | null = null;
  const keys = async (): Promise<Keys> => {
    const nowMs = clock.now().getTime();
    if (known !== null && Math.abs(nowMs - known.atMs) < refreshMs) return known.keys;
    const former = known;
    const reading = { keys: readKeys(db, kind), atMs: nowMs };
    known = reading;
    try {
      return await reading.keys;
    } catch (error) {
      // The next call asks again; while the database is away, the keys from before still count.
      if (known === reading) known = null;
      if (former === null) throw error;
      return former.keys;
    }
  };
  const verifying = async () => inOrder(kind, await keys(), clock.now());
  return { verifying, signing: async () => (await verifying())[0] };
}

/** A key as an operator sees it: never its value. */
export interface ShownKeys {
  name: KeyName;
  /** When the newest key begins to sign; null if it does already. */
  newestSignsAt: string | null;
  /** Until when each former key verifies, the latest first. */
  formerUntil: string[];
}

export async function showKeys(db: Db, name: KeyName, now: Date): Promise<ShownKeys> {
  const kind: KeyKind = keyKinds[name];
  const { former } = await readKeys(db, kind);
  const [last] = former;
  return {
    name,
    newestSignsAt: last !== undefined && new Date(last.signsUntil) > now ? last.signsUntil : null,
    formerUntil: former
      .filter(stillVerifies(kind, now))
      .map(({ signsUntil }) => later(new Date(signsUntil), kind.verifiesMs).toISOString()),
  };
}

/**
 * Makes a new key. It signs as soon as every process and phone knows it; the former key verifies until
 * everything that it signed has ended.
 * @param atOnce forgets all former keys, for a key that has leaked: what they signed ends
 * @returns false if another rotation came first
 */
export async function rotateKey(
  tx: Db,
  name: KeyName,
  { now, atOnce }: { now: Date; atOnce: boolean },
): Promise<boolean> {
  const kind: KeyKind = keyKinds[name];
  const { newest, former } = await readKeys(tx, kind);
  if (!(await replaceSetting(tx, kind.setting, newest, kind.make()))) return false;
  const signsUntil = later(now, kind.announcedMs).toISOString();
  const left = [{ secret: newest, signsUntil }, ...former.filter(stillVerifies(kind, now))];
  await writeSetting(tx, formerOf(kind), atOnce ? [] : left);
  return true;
}

/** Deletes the keys of all kinds that verify nothing any more. */
export async function dropEndedKeys(db: Db, now: Date): Promise<void> {
  for (const kind of Object.values<KeyKind>(keyKinds)) {
    const { former } = await readKeys(db, kind);
    const left = former.filter(stillVerifies(kind, now));
    if (left.length < former.length) await replaceSetting(db, formerOf(kind), former, left);
  }
}
