import type { Db } from '../../server/platform/database/db.ts';
import { noteDeed } from '../../server/platform/security/audit-log.ts';
import {
  keyKinds,
  rotateKey as rotate,
  showKeys,
  type KeyName,
  type ShownKeys,
} from '../../server/platform/security/key-ring.ts';
import { countSealed, resealAll } from '../../server/platform/security/reseal.ts';
import { createSeal } from '../../server/platform/security/seal.ts';
import { sealedColumns } from '../../server/sealed-columns.ts';
import { misuse, readWords, type AdminCommand, type Outcome, type Place } from './run-command.ts';

const names = Object.keys(keyKinds) as KeyName[];
const usage = `Replaces the keys of this server. People stay signed in.
  npm run admin -- rotate-key [--json]   shows the keys that sign links and codes
  npm run admin -- rotate-key ${names.join('|')} [--json]   makes a new one; the former verifies until its links have ended
  npm run admin -- rotate-key ${names.join('|')} at-once [--json]   forgets the former ones: their links end
  npm run admin -- seal-keys [--json]   how many values the first of SEAL_KEYS encrypts, and how many another
  npm run admin -- seal-keys renew [--json]   encrypts all of them with the first`;

const rotateKey: AdminCommand = {
  usage,
  read(args) {
    const { words, json } = readWords(args, { most: 2 });
    const [word, more] = words;
    if (word === undefined) return { json, run: async ({ db, now }) => shown(await showAll(db, now)) };
    const name = names.find((each) => each === word) ?? misuse();
    if (more !== undefined && more !== 'at-once') misuse();
    return { json, run: ({ db, now }) => replace(db, { name, atOnce: more === 'at-once' }, now) };
  },
};

async function replace(
  db: Db,
  { name, atOnce }: { name: KeyName; atOnce: boolean },
  now: Date,
): Promise<Outcome> {
  const note = atOnce ? `${name}, at once` : name;
  await db.transaction(async (tx) => {
    if (await rotate(tx, name, { now, atOnce }))
      await noteDeed(tx, { adminId: null, personId: null, action: 'secret.rotated', note }, now);
  });
  return shown([await showKeys(db, name, now)]);
}

const showAll = (db: Db, now: Date): Promise<ShownKeys[]> =>
  Promise.all(names.map((each) => showKeys(db, each, now)));

function shown(keys: ShownKeys[]): Outcome {
  const lines = keys.map(({ name, newestSignsAt, formerUntil }) =>
    [
      `${name}:`,
      newestSignsAt === null ? 'the newest key signs' : `the newest key signs from ${newestSignsAt} on`,
      ...formerUntil.map((until) => `a former one verifies until ${until}`),
    ].join(' '),
  );
  return { text: lines.join('\n'), json: keys };
}

const sealKeys: AdminCommand = {
  usage,
  read(args) {
    const { words, json } = readWords(args, { most: 1 });
    const [verb = 'show'] = words;
    if (verb !== 'show' && verb !== 'renew') misuse();
    return { json, run: (place) => reseal(place, verb === 'renew') };
  },
};

async function reseal({ db, env }: Place, renews: boolean): Promise<Outcome> {
  const seal = createSeal(db, env.SEAL_KEYS);
  const { sealed, unreadable } = renews
    ? await resealAll(db, seal, sealedColumns)
    : { sealed: 0, unreadable: 0 };
  const { current, former } = await countSealed(db, seal, sealedColumns);
  const lines = [
    ...(renews ? [`Encrypted again: ${sealed}.`] : []),
    `The first key encrypts ${current} values, other keys ${former}.`,
    ...(unreadable > 0 ? [`No key of SEAL_KEYS decrypts ${unreadable} of these.`] : []),
    ...(former === 0
      ? ['The other keys of SEAL_KEYS are not needed any more, except for older backups.']
      : []),
  ];
  return { text: lines.join('\n'), json: { sealed, unreadable, current, former } };
}

export const serverKeys = { 'rotate-key': rotateKey, 'seal-keys': sealKeys };
