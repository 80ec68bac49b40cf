import sharp from 'sharp';
import { allEndpoints } from '#contract/all.ts';
import type { Endpoint } from '#contract/define.ts';
import type { MovableClock } from '../../server/platform/clock.ts';
import {
  openAccessFixture,
  type AccessFixture,
  type Role,
  type Step,
} from '../../server/testing/access-fixture.ts';
import { accessRows, type Row } from '../../server/testing/access-rows.ts';
import type { CallingApp } from '../../server/testing/calling-app.ts';
import { answersOf } from '../../server/testing/role-table.ts';
import { upload } from '../../server/testing/upload.ts';
import { say } from '../bench-app.ts';
import type { DatabaseWork, Statement, StatementRecorder } from './statements.ts';
import type { Veterans } from './veterans.ts';

/** `failure` says why it was not done as it should be; its figures are then of what was done. */
export type Measured = DatabaseWork & { statements: Statement[]; failure: string | null };
/**
 * A call, and what the listeners of its signals have asked of the database after it. `againMs` is a read's
 * time when it is made once more: what it reads is in memory then; null of another call.
 */
export type MeasuredCall = Measured & {
  call: string;
  againMs: number | null;
  listeners: DatabaseWork;
  heard: Statement[];
};

/** The caller where several may call: the roles with most around them first. */
const callers: readonly Role[] = ['driver', 'passenger', 'owner', 'contact', 'stranger', 'guest'];
/** Their callers are signed out, or on their way out, afterwards. */
const comeLast = new Set(['POST /access/logout', 'POST /user/delete-account']);

/** Writes that other people make first too: they tell people nearby, or search among all people. */
const madeBefore = new Set([
  'POST /contact/import',
  'POST /order/create',
  'POST /order/create-return',
  'POST /series/create',
  'POST /event/join-as-driver',
  'POST /event/join-as-passenger',
]);

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/**
 * Makes every call of the contract once, with the inputs of the access table, by a person with a long
 * history.
 */
export class CallRound {
  readonly #app: CallingApp;
  readonly #veterans: Veterans;
  readonly #recorder: StatementRecorder;
  readonly #inputs: Readonly<Record<string, object>>;
  readonly #clock: MovableClock;
  #shared: { step: Step; others: boolean; fixture: AccessFixture } | null = null;
  #picture: Buffer = Buffer.alloc(0);

  /** @param inputs replaces the inputs of some calls in the access table */
  constructor(
    app: CallingApp,
    of: { veterans: Veterans; recorder: StatementRecorder; inputs: Readonly<Record<string, object>> },
  ) {
    this.#app = app;
    this.#clock = app.clock;
    this.#veterans = of.veterans;
    this.#recorder = of.recorder;
    this.#inputs = of.inputs;
  }

  async run(only?: string): Promise<MeasuredCall[]> {
    this.#picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#59BC6B' } })
      .jpeg()
      .toBuffer();
    const calls = allEndpoints
      .filter((endpoint) => only === undefined || nameOf(endpoint).includes(only))
      .toSorted((a, b) => orderOf(a) - orderOf(b));
    // On a server in use others have read such things before, and published nearby, on these connections.
    // What is of the measured person alone is read for the first time.
    for (const endpoint of calls)
      if (endpoint.method === 'GET' || madeBefore.has(nameOf(endpoint))) await this.#makeByOthers(endpoint);
    const measured: MeasuredCall[] = [];
    for (const endpoint of calls) {
      const call = nameOf(endpoint);
      const made = await this.#make(endpoint).catch((error: unknown) => notMade(String(error)));
      measured.push({ call, ...made });
      say(
        `${measured.length} of ${calls.length}, ${call}: ${made.ms} ms, ${made.processorMs} of the processor${sayFailure(made)}`,
      );
    }
    return measured;
  }

  /** Makes a call as the driver and the passenger in each other's place; what it answers does not matter. */
  async #makeByOthers(endpoint: Endpoint): Promise<void> {
    const { fixture, role, input } = await this.#prepare(endpoint, { others: true });
    await this.#ask(fixture, role, endpoint, input);
    await this.#app.deliver();
  }

  /** The scene, the caller and the input of a call, and the code that it must answer. */
  async #prepare(endpoint: Endpoint, by: { others: boolean }) {
    const name = nameOf(endpoint);
    const row = accessRows[name];
    if (row === undefined) throw new Error(`${name} has no row in server/testing/access-rows.ts.`);
    const fixture = await this.#fixtureFor(endpoint, row, by);
    const answers = answersOf(endpoint, row);
    const role = callers.find((each) => answers[each] === 200) ?? 'driver';
    const input = this.#inputs[name] ?? (await row.input?.(fixture, role)) ?? {};
    await this.#app.deliver();
    return { fixture, role, input, expected: answers[role] };
  }

  async #make(endpoint: Endpoint): Promise<Omit<MeasuredCall, 'call'>> {
    const { fixture, role, input, expected } = await this.#prepare(endpoint, { others: false });
    let failure: string | null = null;
    const { work, statements } = await this.#recorder.during(async () => {
      const { code, info } = await this.#ask(fixture, role, endpoint, input);
      if (code !== expected) failure = `as ${role} answered ${code} in place of ${expected}: ${info}`;
    });
    const { work: listeners, statements: heard } = await this.#recorder.during(() => this.#app.deliver());
    const again =
      endpoint.method === 'GET'
        ? await this.#recorder.during(() => this.#ask(fixture, role, endpoint, input))
        : null;
    return { ...work, statements, failure, againMs: again?.work.ms ?? null, listeners, heard };
  }

  #ask(fixture: AccessFixture, role: Role, endpoint: Endpoint, input: object) {
    const who = fixture.who(role);
    if (endpoint.takesFile === true)
      return upload(this.#app, who, (input as { purpose: string }).purpose, [{ bytes: this.#picture }]);
    return this.#app.callUnchecked(who, endpoint, input);
  }

  /** Calls that change nothing share a scene with those before them. */
  async #fixtureFor(
    { method }: Endpoint,
    { at = 'people', answers }: Row,
    { others }: { others: boolean },
  ): Promise<AccessFixture> {
    const isRead = method === 'GET' || !answers.includes(200);
    const shared = this.#shared;
    if (isRead && shared?.step === at && shared.others === others) return shared.fixture;
    this.#clock.moveTo(null);
    const people = await this.#veterans.signIn(this.#clock.now(), { others });
    const fixture = await openAccessFixture(this.#app, at, people);
    this.#shared = isRead ? { step: at, others, fixture } : null;
    return fixture;
  }
}

const nothing: DatabaseWork = {
  ms: 0,
  processorMs: 0,
  rowsRead: 0,
  slowestStatementMs: 0,
  sequentialScans: [],
  comparedIndexes: [],
};
const notMade = (failure: string): Omit<MeasuredCall, 'call'> => ({
  ...nothing,
  statements: [],
  failure,
  againMs: null,
  listeners: nothing,
  heard: [],
});

export const sayFailure = ({ failure }: Measured): string => (failure === null ? '' : `; ${failure}`);

/** Reads first, those of one step of the scene together. */
function orderOf(endpoint: Endpoint): number {
  if (comeLast.has(nameOf(endpoint))) return 1000;
  const steps = ['people', 'published', 'joined', 'waiting'];
  const step = steps.indexOf(accessRows[nameOf(endpoint)]?.at ?? 'people');
  return endpoint.method === 'GET' ? (step === -1 ? 50 : step) : 100;
}
