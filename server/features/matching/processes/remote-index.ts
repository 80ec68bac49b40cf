import type { Env } from '../../../platform/env.ts';
import type { Log } from '../../../platform/observability/log.ts';
import type { MatchingReplicas } from '../../../platform/process-roles.ts';
import type { Ask, PairAsk } from '../engine/engine.ts';
import type { Answer, PairVerdict } from '../engine/entries.ts';
import type { SearchIndex } from '../search-index.ts';
import { Replicas } from './replicas.ts';
import { dialectOf } from './wire.ts';

/**
 * The open orders in matching processes: each region's in replicas of its own. A question goes to every
 * region, since a ride that begins in one may take people along in another, and the answers become one: the
 * same as that of one index with all orders.
 */
export class RemoteIndex implements SearchIndex {
  readonly #regions: readonly Replicas[];
  #isReady = false;
  #nextJudge = 0;

  constructor(of: { groups: readonly MatchingReplicas[]; secret: string; env: Env; log: Log }) {
    const dialect = dialectOf(of.env);
    this.#regions = of.groups.map(
      ({ urls }) => new Replicas({ urls, secret: of.secret, dialect, log: of.log }),
    );
  }

  async ask(ask: Ask): Promise<Answer> {
    const answers = await Promise.all(this.#regions.map((region) => region.ask('ask', ask)));
    return answers.length === 1 ? answers[0]! : oneAnswer(answers, ask);
  }

  async askInTurn(asks: readonly Ask[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const ask of asks) answers.push(await this.ask(ask));
    return answers;
  }

  /** All of them have the same roads; a request that one has not cached is given again. */
  judge(ask: PairAsk): Promise<PairVerdict[]> {
    return this.#regions[this.#nextJudge++ % this.#regions.length]!.ask('judge', ask);
  }

  /** The processes follow the database by themselves, and catch up before they answer. */
  wake(): void {}

  async warm(): Promise<void> {
    await Promise.all(this.#regions.map((region) => region.untilReady()));
    this.#isReady = true;
  }

  /** Whether all regions have been ready since the start; later a question finds out. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** A question itself waits a moment, and refuses. */
  async soon(): Promise<void> {}

  async close(): Promise<void> {
    for (const region of this.#regions) region.close();
  }
}

/** Answers about parts of the orders as one about all of them. */
function oneAnswer(answers: readonly Answer[], { asker }: Ask): Answer {
  const sum = (of: (answer: Answer) => number) => answers.reduce((all, answer) => all + of(answer), 0);
  return {
    publicCount: sum(({ publicCount }) => publicCount),
    restrictedCount: sum(({ restrictedCount }) => restrictedCount),
    hits: answers
      .flatMap(({ hits }) => hits)
      .toSorted((a, b) => a.score - b.score)
      .slice(0, asker.most),
    nearMisses: answers
      .flatMap(({ nearMisses }) => nearMisses)
      .toSorted((a, b) => a.miss.effort - b.miss.effort)
      .slice(0, asker.nearMisses),
    survivors: sum(({ survivors }) => survivors),
  };
}
