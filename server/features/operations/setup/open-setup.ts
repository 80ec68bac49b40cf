import { timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type { makeOwner as makeOwnerCall, readSetup } from '#contract/setup/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Env } from '../../../platform/env.ts';
import { notFound } from '../../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../../platform/security/session.ts';
import { packInfos, regionInfo } from '../../geo/service.ts';
import { staff } from '../../identity/queries.ts';
import { enrollOwner } from '../../identity/service.ts';
import * as store from './store.ts';

export const setupPath = '/pages/setup/setup';

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
