// The index's thread: handles changes and questions in order of arrival.
import { parentPort, workerData } from 'node:worker_threads';
import {
  Engine,
  withDerived,
  type Ask,
  type Census,
  type Change,
  type DerivedRoads,
  type EngineRoads,
  type PairAsk,
  type SnapshotPlace,
} from './engine.ts';
import type { Answer, PairVerdict } from './entries.ts';
import type { SnapshotFacts } from './snapshot.ts';

export type ToThread =
  | { kind: 'changes'; changes: Change[] }
  | { kind: 'ask'; number: number; ask: Ask }
  | { kind: 'judge'; number: number; ask: PairAsk }
  | { kind: 'census'; number: number }
  | { kind: 'derived'; number: number }
  | { kind: 'save'; number: number; place: SnapshotPlace; facts: SnapshotFacts }
  | { kind: 'load'; number: number; place: SnapshotPlace };

export type FromThread =
  | { kind: 'answer'; number: number; answer: Answer; tookMs: number }
  | { kind: 'verdicts'; number: number; verdicts: PairVerdict[] }
  | { kind: 'census'; number: number; census: Census }
  | { kind: 'derived'; number: number; derived: DerivedRoads }
  | { kind: 'saved'; number: number; problem: string | null }
  | { kind: 'loaded'; number: number; facts: SnapshotFacts | null };

const port = parentPort;
if (port === null) throw new Error('thread.ts runs as a worker thread only');
// Messages wait until the port is listened to.
const { shared, cells, times } = await withDerived(workerData as EngineRoads);
const engine = new Engine({ shared, cells, times });
const say = (message: FromThread): void => port.postMessage(message);

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'changes':
      engine.take(message.changes);
      return;
    case 'ask': {
      const beganAt = performance.now();
      const answer = engine.answer(message.ask);
      say({ kind: 'answer', number: message.number, answer, tookMs: performance.now() - beganAt });
      return;
    }
    case 'judge':
      say({ kind: 'verdicts', number: message.number, verdicts: engine.judge(message.ask) });
      return;
    case 'census':
      say({ kind: 'census', number: message.number, census: engine.census() });
      return;
    case 'derived':
      say({ kind: 'derived', number: message.number, derived: { cells, times } });
      return;
    case 'save':
      void engine.save({ ...message.place, facts: message.facts }).then(
        () => say({ kind: 'saved', number: message.number, problem: null }),
        (error: unknown) => say({ kind: 'saved', number: message.number, problem: String(error) }),
      );
      return;
    case 'load':
      void engine.load(message.place).then((facts) => say({ kind: 'loaded', number: message.number, facts }));
  }
});
