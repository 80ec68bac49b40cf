import { parseArgs } from 'node:util';
import { z } from 'zod';
import { databaseOf, type Db } from '../../server/platform/database/db.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { readEnv, type Env } from '../../server/platform/env.ts';
import { Refusal } from '../../server/platform/refusal.ts';
import { installationSettings } from '../installation.ts';

/** One word after `npm run admin --`, and what follows it. */
export interface AdminCommand {
  /** The command line; commands of one story share it. */
  usage: string;
  /**
   * Reads the words after its name, before the database is opened. Calls `misuse` where they ask for nothing.
   */
  read(args: string[]): { json: boolean; run: (place: Place) => Promise<Outcome> };
}

export interface Place {
  db: Db;
  now: Date;
  env: Env;
}

/** The output: the text for people, the value for programs with `--json`. */
export interface Outcome {
  text: string;
  json: unknown;
}

class Misuse extends Error {}

/** Ends the command with status 2 and says what is wrong; without a sentence, how it is typed. */
export function misuse(sentence = ''): never {
  throw new Misuse(sentence);
}

/** The words of a command, at most `most`, and the texts of its options; each takes `--json`. */
export function readWords<N extends string>(
  args: string[],
  { most, names = [] }: { most: number; names?: readonly N[] },
): { words: string[]; given: Partial<Record<N, string>>; json: boolean } {
  const texts = names.map((name) => [name, { type: 'string' }] as const);
  const options = { ...Object.fromEntries(texts), json: { type: 'boolean', default: false } } as const;
  let parsed;
  try {
    parsed = parseArgs({ args, allowPositionals: true, options });
  } catch {
    misuse();
  }
  const { json, ...given } = parsed.values;
  if (parsed.positionals.length > most) misuse();
  return { words: parsed.positionals, given, json };
}

/** The value as the contract's schema reads it; `misuse` with a line for each field that is wrong. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  return misuse(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

/** The id that a command is given. */
export const idOf = (word: string): string => (z.uuid().safeParse(word).success ? word : misuse());

/** The items of a list with commas. */
export const listed = (text = ''): string[] => text.split(',').filter((each) => each !== '');

/** Where a command prints, and what it is configured by. */
export interface Surroundings {
  out: { log: (text: string) => void; error: (text: string) => void };
  settings: NodeJS.ProcessEnv;
}

/** Runs a command on the database and prints what comes of it. @returns how the process ends */
export async function runCommand(
  { usage, read }: AdminCommand,
  args: string[],
  { out, settings }: Surroundings,
): Promise<0 | 1 | 2> {
  let asked;
  try {
    asked = read(args);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    out.error(error.message === '' ? usage : error.message);
    return 2;
  }
  let env;
  try {
    env = readEnv(installationSettings(settings));
  } catch (error) {
    // A sentence for the operator: wrong settings, or no installation that could be meant.
    out.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
  for (const warning of env.warnings) out.error(warning);
  const database = await openDatabase(env, { onError: (error) => out.error(error.message) });
  try {
    const outcome = await asked.run({ db: databaseOf(database.pool), now: new Date(), env });
    out.log(asked.json ? JSON.stringify(outcome.json) : outcome.text);
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    out.error(error.message);
    return 1;
  } finally {
    await database.close();
  }
}
