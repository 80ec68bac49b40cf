import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';

/** Who asks the database: a call under way, the benchmark itself, or else what works in the background. */
type Asker = 'call' | 'bench';

/** How many statements were run since the last look. */
export interface Counts {
  call: number;
  background: number;
  /** Looks into the event log that found nothing: by the clock, however much happens. */
  idleLooks: number;
}

const asker = new AsyncLocalStorage<Asker>();
let counts: Counts = { call: 0, background: 0, idleLooks: 0 };

/** Counts every statement of this process from now on, `begin` and `commit` too. */
export function countStatements(): void {
  const { query } = Client.prototype as unknown as { query: (...question: unknown[]) => unknown };
  Object.assign(Client.prototype, {
    query(this: Client, ...question: unknown[]): unknown {
      const answer = query.apply(this, question);
      note(asker.getStore(), question[0], answer);
      return answer;
    },
  });
}

function note(by: Asker | undefined, question: unknown, answer: unknown): void {
  if (by === 'bench') return;
  if (by === 'call') counts.call++;
  else if (isLook(question) && answer instanceof Promise)
    void (answer as Promise<{ rows: { id: string | null }[] }>).then(
      ({ rows }) => {
        if (rows.every(({ id }) => id === null)) counts.idleLooks++;
        else counts.background++;
      },
      () => undefined,
    );
  else counts.background++;
}

const isLook = (question: unknown): boolean =>
  typeof question === 'object' &&
  question !== null &&
  'name' in question &&
  question.name === 'read-event-log';

/** What was counted so far; begins anew. */
export function takeCounts(): Counts {
  const taken = counts;
  counts = { call: 0, background: 0, idleLooks: 0 };
  return taken;
}

export const asCall = <T>(work: () => Promise<T>): Promise<T> => asker.run('call', work);
export const asBench = <T>(work: () => Promise<T>): Promise<T> => asker.run('bench', work);
