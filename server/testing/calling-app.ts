import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Endpoint } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import type { BuiltApp } from '../app.ts';
import type { MovableClock } from '../platform/clock.ts';
import { newPerson, type PersonOptions, type TestPerson } from './people.ts';

/** An app to which people make calls, and a clock that changes only when it is moved. */
export interface CallingApp extends BuiltApp {
  /** The caller's own pool, in addition to the server's. */
  pool: Pool;
  clock: MovableClock;
  /** Makes a person with a completed profile and a session, without going through sign-up. */
  person(name: string, options?: PersonOptions): Promise<TestPerson>;
  /** Makes a call over HTTP as a person (null: a guest) and returns the envelope. */
  call<I extends z.ZodObject, O extends z.ZodType>(
    who: TestPerson | null,
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
    extra?: Record<string, unknown>,
  ): Promise<Envelope<z.output<O>>>;
  /** The same with an input that the contract's types refuse, as a faulty client sends it. */
  callUnchecked(
    who: TestPerson | null,
    endpoint: Endpoint,
    input: object,
    extra?: Record<string, unknown>,
  ): Promise<Envelope<unknown>>;
  /** The same as `call`, and fails with the refusal unless the answer is a success. */
  ok<I extends z.ZodObject, O extends z.ZodType>(
    who: TestPerson | null,
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>>;
  /** Delivers all signals that wait. */
  deliver(): Promise<void>;
}

/** Lets people make calls to an app that listens to none. */
export function callingApp(app: BuiltApp, clock: MovableClock, own: Pool): CallingApp {
  const send = callsTo(app, clock);
  const call: CallingApp['call'] = async (...question) => (await send(...question)).json();
  return {
    ...app,
    pool: own,
    clock,
    call,
    callUnchecked: call,
    async ok(who, endpoint, input) {
      const answer = await call(who, endpoint, input);
      if (answer.code !== 200 || answer.data === undefined)
        throw new Error(
          `${endpoint.path} refused: ${answer.code} ${answer.reason ?? ''} ${answer.info} ${JSON.stringify(answer.data)}`,
        );
      return answer.data;
    },
    person: (name, options) => newPerson(app.platform, name, options),
    deliver: () => app.platform.outbox.deliverAll(app.pool, app.platform.log),
  };
}

/** Makes calls as the web app does: signed with the time, GET fields as a query. */
function callsTo({ http }: Pick<BuiltApp, 'http'>, clock: MovableClock) {
  return async (...[who, endpoint, input, extra = {}]: Parameters<CallingApp['callUnchecked']>) => {
    const headers = {
      accept: 'application/json',
      ...(who === null ? {} : { authorization: `Bearer ${who.token}` }),
    };
    const fields = { ...input, ...extra, signTime: clock.now().getTime(), sign: '' };
    const query = Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    );
    const response = await http.inject(
      endpoint.method === 'GET'
        ? { method: 'GET', url: endpoint.path, query, headers }
        : { method: 'POST', url: endpoint.path, payload: fields, headers },
    );
    if (response.statusCode !== 200)
      throw new Error(`${endpoint.path} answered HTTP ${response.statusCode}: ${response.body}`);
    return response;
  };
}
