import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { TestPerson } from '../../server/testing/people.ts';
import { say } from '../bench-app.ts';
import { compare } from './compare.ts';
import { meet, newPairing, type Pairing } from './people.ts';
import { Tally } from './tally.ts';

const endWithinMs = 120_000;
const againAfterMs = 200;

/** Pairs of people who arrange rides repeatedly while the benchmark disturbs the installation. */
export interface Crowd {
  tally: Tally;
  /** Stops the crowd and compares the answers that people got with the database. */
  end(databaseUrl: string): Promise<CrowdFigures>;
}

export interface CrowdFigures {
  acknowledged: number;
  pairs: number;
  lost: number;
  doubled: number;
  reordered: number;
  /** Actions that never succeeded, however often they were repeated, but were not lost either. */
  unfinished: number;
  errorsSeen: number;
}

/**
 * Starts pairs of people who publish, search, ask, accept and chat, all at the same time.
 * @param person creates a person in the database
 */
export function startCrowd({
  url,
  pairs,
  person,
}: {
  url: string;
  pairs: number;
  person: (name: string) => Promise<TestPerson>;
}): Crowd {
  const tally = new Tally();
  const run = { isOver: false, isGivenUp: false };
  const all: Pairing[] = [];
  const refused: string[] = [];
  const town = { url, tally, isGivenUp: () => run.isGivenUp };
  const goOn = async () => {
    while (!run.isOver) {
      const two = await Promise.all([person('Ana'), person('Pia')]).catch(() => null);
      // People are created in the database directly, which waits while the database is down.
      if (two === null) {
        await sleep(againAfterMs);
        continue;
      }
      const met = newPairing(...two);
      all.push(met);
      await meet(town, ...two, met).catch((error: unknown) => refused.push(String(error)));
    }
  };
  const meeting = Array.from({ length: pairs }, goOn);
  return {
    tally,
    async end(databaseUrl) {
      run.isOver = true;
      const giveUp = setTimeout(() => (run.isGivenUp = true), endWithinMs);
      await Promise.all(meeting);
      clearTimeout(giveUp);
      const client = new Client(databaseUrl);
      await client.connect();
      const { lost, doubled, reordered } = await compare(client, all);
      await client.end();
      for (const words of [...lost, ...doubled, ...reordered, ...refused].slice(0, 20)) say(words);
      say(JSON.stringify(Object.fromEntries(tally.errors)));
      return {
        acknowledged: tally.acknowledged,
        pairs: all.length,
        lost: lost.length,
        doubled: doubled.length,
        reordered: reordered.length,
        unfinished: all.filter(({ isDone }) => !isDone).length,
        errorsSeen: tally.errorsSeen,
      };
    },
  };
}
