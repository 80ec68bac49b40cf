import { timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type {
  makeOwner as makeOwnerCall,
  readSetup,
  tryRegion,
  tryMail,
  tryCards,
} from '#contract/setup/endpoints.ts';
import { words } from '#locales/server.ts';
import type { App } from '../../../app-type.ts';
import { minuteMs, secondMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Env } from '../../../platform/env.ts';
import { paragraph } from '../../../platform/messages/email-blocks.ts';
import type { Platform } from '../../../platform/platform.ts';
import { notFound } from '../../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../../platform/security/session.ts';
import { packInfos, regionInfo, placesOfPack, roadNetwork } from '../../geo/service.ts';
import { staff } from '../../identity/queries.ts';
import { enrollOwner } from '../../identity/service.ts';
import { providerAccount } from '../../payments/service.ts';
import * as store from './store.ts';

const setupPath = '/pages/setup/setup';

/** For how long a process leaves a link to the process that has just made it, which prints it. */
const othersLinkMs = 5 * minuteMs;

/**
 * The setup address of this installation while it has no team; with a new link if the old one is lost. Null
 * afterwards, and in a process that finds another process's link.
 *
 * The server prints the link at its start and keeps it in a file in `DATA_DIR` for the operator. It opens a
 * page that creates the owner's account and tests the configuration. The link ends as soon as the team has a
 * member, however they got their role.
 */
export async function openSetup({ db, env, clock }: App): Promise<string | null> {
  const row = await store.readSetupRow(db);
  if (await isOver(db)) {
    if (row !== null) await store.removeSetupRow(db, row);
    removeLinkFile(env.DATA_DIR);
    return null;
  }
  const kept = readLinkFile(env.DATA_DIR);
  if (kept !== null && row !== null && hashSecret(kept) === row.tokenHash) return addressOf(env, kept);
  const age = row === null ? Infinity : clock.now().getTime() - Date.parse(row.madeAt);
  if (age < othersLinkMs) return null;
  const token = newSecret();
  const made = { tokenHash: hashSecret(token), madeAt: clock.now().toISOString() };
  if (!(await store.replaceSetupRow(db, row, made))) return null;
  writeLinkFile(env.DATA_DIR, token);
  return addressOf(env, token);
}

// After the #, so that browsers do not send it to proxies or logs.
const addressOf = ({ publicUrl }: Env, token: string): string => `${publicUrl}${setupPath}#${token}`;

const isOver = async (db: Db): Promise<boolean> => (await staff(db)).length > 0;

/** The row of the current link. Refuses `setup.over` for any other. */
export async function checkLink({ db }: App, token: string): Promise<store.SetupRow> {
  const row = await store.readSetupRow(db);
  if (row === null || !isSame(hashSecret(token), row.tokenHash) || (await isOver(db))) throw over();
  return row;
}

/** Creates the owner and ends the link. Refuses what `enrollOwner` refuses, and `setup.over`. */
export async function makeOwner(
  app: App,
  { token, ...owner }: z.output<typeof makeOwnerCall.input>,
): Promise<void> {
  const row = await checkLink(app, token);
  const claim = async (tx: Db) => {
    if (!(await store.removeSetupRow(tx, row))) throw over();
  };
  if (!(await enrollOwner(app, { ...owner, claim }))) throw over();
  removeLinkFile(app.env.DATA_DIR);
}

const over = () => notFound('setup.over', 'This setup link doesn’t work any more.');

const isSame = (given: string, kept: string): boolean =>
  given.length === kept.length && timingSafeEqual(Buffer.from(given), Buffer.from(kept));

/** The settings that the setup page shows. */
export function readSettings(app: App): OutputOf<typeof readSetup> {
  const { env } = app;
  const region = regionInfo(app);
  const { SMTP_URL: smtp, STRIPE_SECRET_KEY: key } = env;
  const cards = key === undefined ? (env.takesCards ? 'sandbox' : 'none') : isLive(key) ? 'live' : 'test';
  return {
    publicUrl: env.publicUrl,
    isSecure: env.publicUrl.startsWith('https:'),
    region: {
      title: region.title,
      timeZone: region.timeZone,
      packs: packInfos(app).map(({ title }) => title),
    },
    mail: {
      kind: smtp === undefined ? (env.production ? 'none' : 'outbox') : 'server',
      host: smtp === undefined ? '' : new URL(smtp).host,
      from: env.MAIL_FROM,
    },
    cards: { kind: cards },
    backup: { isOn: env.BACKUP_TO !== undefined, isSealed: env.BACKUP_KEY !== undefined },
  };
}

const isLive = (key: string): boolean => /^(sk|rk)_live_/.test(key);

/**
 * The file with the setup link of a new installation, which only the operator can read, until the link is
 * used.
 */
const linkFile = (dataDir: string): string => path.join(dataDir, 'setup-token');

/** Null if there is no readable file. */
function readLinkFile(dataDir: string): string | null {
  try {
    return fs.readFileSync(linkFile(dataDir), 'utf8').trim();
  } catch {
    return null;
  }
}

function writeLinkFile(dataDir: string, token: string): void {
  fs.mkdirSync(dataDir, { recursive: true });
  fs.rmSync(linkFile(dataDir), { force: true });
  fs.writeFileSync(linkFile(dataDir), `${token}\n`, { mode: 0o600 });
}

const removeLinkFile = (dataDir: string): void => fs.rmSync(linkFile(dataDir), { force: true });

type TriedRegion = OutputOf<typeof tryRegion>;

/** Finds a place in the region pack, and a route to it from the region's center. */
export async function tryPack(app: App): Promise<TriedRegion> {
  const [pack] = packInfos(app);
  const hasMap = packInfos(app).some((each) => each.hasMap);
  const tried = { place: '', minutes: null, hasMap };
  if (pack === undefined) return { ...tried, outcome: 'none', places: 0 };
  const found = await placesOfPack(app, pack.name);
  const places = packInfos(app).reduce((sum, { placesCount }) => sum + placesCount, 0);
  const network = roadNetwork(app);
  const [lon, lat] = pack.center;
  const from = network.snap({ lon, lat });
  // The most important places first, which people know.
  for (const place of found.toSorted((a, b) => b.importance - a.importance).slice(0, 20)) {
    const to = network.snap(place);
    const drive = from === null || to === null ? null : network.travel(from, to);
    if (drive !== null && drive.milliseconds > minuteMs)
      return {
        ...tried,
        outcome: 'read',
        places,
        place: place.name,
        minutes: Math.round(drive.milliseconds / minuteMs),
      };
  }
  return { ...tried, outcome: found.length === 0 ? 'noPlaces' : 'noRoute', places };
}

type TriedMail = OutputOf<typeof tryMail>;

/** The operator is waiting on the page. */
const answersWithinMs = 25 * secondMs;

/** Sends an email directly through the mail server, without the queue, and returns the result. */
export async function trySending(
  { env, mail }: Pick<Platform, 'env' | 'mail'>,
  { to, language }: { to: string; language: 'en' | 'zh' },
): Promise<TriedMail> {
  if (env.SMTP_URL === undefined && env.production) return { outcome: 'none', said: '' };
  const { subject, text } = words[language].emails.setup;
  const sent = mail.send({ to, subject, preview: text, language, blocks: [paragraph(text)] });
  try {
    const ended = await Promise.race([sent.then(() => true), sleep(answersWithinMs, false, { ref: false })]);
    if (!ended) {
      // The operator has seen that it timed out; later results are dropped.
      sent.catch(() => undefined);
      return { outcome: 'late', said: '' };
    }
    return { outcome: env.SMTP_URL === undefined ? 'kept' : 'sent', said: '' };
  } catch (error) {
    return { outcome: outcomeOf(error), said: wordsOf(error) };
  }
}

/** Maps the errors of nodemailer and Node. */
function outcomeOf(error: unknown): TriedMail['outcome'] {
  const { code = '', command = '', cause } = error as { code?: string; command?: string; cause?: unknown };
  const inner = (cause as { code?: string } | undefined)?.code ?? '';
  const codes = `${code} ${inner} ${error instanceof Error ? error.message : ''}`;
  if (code === 'EAUTH') return 'login';
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(codes)) return 'unknownHost';
  if (/CERT|certificate|ETLS|SSL|wrong version number/i.test(codes)) return 'certificate';
  if (/ETIMEDOUT|timeout/i.test(codes)) return 'late';
  if (/ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ECONNECTION/.test(codes)) return 'unreachable';
  if (code !== 'EENVELOPE') return 'other';
  return command.startsWith('MAIL') ? 'sender' : command.startsWith('RCPT') ? 'recipient' : 'other';
}

/** The mail server's own answer, if it gave one, without what was sent to it. */
function wordsOf(error: unknown): string {
  const { response, message } = error as { response?: string; message?: string };
  return (response ?? message ?? '').slice(0, 300);
}

type TriedCards = OutputOf<typeof tryCards>;

/** Tests the card provider's key by reading its account. */
export async function tryAccount(app: App): Promise<TriedCards> {
  const nothing = { account: '', name: '', said: '' };
  if (!app.env.takesCards) return { ...nothing, outcome: 'none' };
  const asked = await providerAccount(app);
  if (asked.outcome === 'done') {
    const { id, name, takesMoney } = asked.value;
    return { outcome: takesMoney ? 'ready' : 'incomplete', account: id, name, said: '' };
  }
  const said = 'message' in asked ? asked.message.slice(0, 300) : '';
  if (asked.outcome !== 'unavailable') return { ...nothing, outcome: 'other', said };
  const { fault } = asked;
  if (fault === 'apiKey') return { ...nothing, outcome: 'key', said };
  return { ...nothing, outcome: fault === 'permission' ? 'permission' : 'unreachable', said };
}
