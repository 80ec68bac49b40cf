import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { login, type SessionUser } from '#contract/access/endpoints.ts';
import { envelopeOf } from '#contract/envelope.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { listVehicles } from '#contract/vehicles/endpoints.ts';
import { createVehicle } from '../server/features/drivers/vehicles/vehicles.ts';
import { hourMs } from '../server/platform/clock.ts';
import { inBenchApp, percentile, rounded, say } from './bench-app.ts';
import type { Round, RoundWish } from './http/client.ts';
import { guessesASecond, guessPasswords } from './http/guesses.ts';
import { readEnvelope } from '../server/testing/envelopes.ts';
import { enrollAccount } from '../server/testing/enroll-account.ts';
import { signIn as verifyPassword } from '../server/features/identity/sign-in.ts';

const connections = 32;
const seconds = 6;
const rounds = 3;
/** Reads with wrong passwords in parallel: turns short and many, so that other work affects all alike. */
const turns = 5;
const turnSeconds = 3;
const password = 'a long way together';

/**
 * Compares the requests that the whole server answers in a second with those of a bare Fastify route, of the
 * same body by the same schema without a session or a database: on the same machine, in the same run, in
 * turns.
 */
export async function benchHttp(): Promise<Record<string, unknown>> {
  return inBenchApp(
    async (app) => {
      const email = 'bench@example.com';
      await enrollAccount(app.platform, { email, name: 'Bench', password });
      await app.http.listen({ port: 0, host: '127.0.0.1' });
      const port = (app.http.server.address() as AddressInfo).port;
      const session = await signIn(port, email);
      for (const [index, plate] of ['8ABC123', '7XYZ987'].entries())
        await createVehicle(app.platform, session.id, {
          plate,
          brand: 'Toyota',
          model: 'Prius',
          type: 'hatchback',
          year: 2020 + index,
          color: 'blue',
          seats: 4,
        });
      const headers = `Host: 127.0.0.1\r\nAccept: application/json\r\nAuthorization: Bearer ${session.accessToken}\r\n`;
      const get = (at: string) => `GET ${at}?signTime=1&sign= HTTP/1.1\r\n${headers}\r\n`;
      const bare = await bareServer(await answerOf(port, listVehicles.path, session.accessToken));
      const wishes: Record<string, Omit<RoundWish, 'connections' | 'seconds'>> = {
        base: { port: bare.port, request: get(listVehicles.path), expected: '"code":200' },
        listCar: { port, request: get(listVehicles.path), expected: '8ABC123' },
        profile: { port, request: get(readProfile.path), expected: email },
      };
      const found: Record<string, { rps: number[]; p99Ms: number[] }> = {};
      try {
        // In turns, so that whatever else the machine does meets all of them alike; the first round only
        // warms up.
        for (let round = 0; round <= rounds; round++)
          for (const [name, wish] of Object.entries(wishes)) {
            const answers = await ask({ ...wish, connections, seconds: round === 0 ? 2 : seconds });
            if (answers.wrong > 0) throw new Error(`${name}: ${answers.wrong} wrong answers.`);
            if (round === 0) continue;
            say(`${name} ${Math.round(answers.requests / answers.seconds)} a second`);
            const kept = (found[name] ??= { rps: [], p99Ms: [] });
            kept.rps.push(answers.requests / answers.seconds);
            kept.p99Ms.push(percentile([...answers.latenciesMs], 0.99));
          }
      } finally {
        await bare.app.close();
      }
      const rps = (name: string) => Math.round(percentile(found[name]!.rps, 0.5));
      const p99 = (name: string) => rounded(percentile(found[name]!.p99Ms, 0.5));
      const besideGuesses = await benchBesideGuesses(port, wishes['profile']!);
      const logins = await benchLogin(app, email);
      return {
        besideGuesses,
        baseRps: rps('base'),
        listCarRps: rps('listCar'),
        profileRps: rps('profile'),
        loginRps: logins.rps,
        p99Ms: { base: p99('base'), listCar: p99('listCar'), profile: p99('profile'), login: logins.p99Ms },
      };
      // Wrong passwords come as if from many addresses.
    },
    { env: { TRUST_PROXY: '1' } },
  );
}

/**
 * Remembered reads while wrong passwords come in, 50 a second, and the same reads alone, in turns; and what
 * the wrong passwords alone take of the server's main thread and of its others (argon2id), in its own CPU
 * time, which other work on the machine changes little.
 */
async function benchBesideGuesses(
  port: number,
  wish: Omit<RoundWish, 'connections' | 'seconds'>,
): Promise<Record<string, unknown>> {
  const read = async (): Promise<number> => {
    const answers = await ask({ ...wish, connections, seconds: turnSeconds });
    if (answers.wrong > 0) throw new Error('Beside wrong passwords: wrong answers.');
    return answers.requests / answers.seconds;
  };
  const found: Record<string, unknown> = {};
  for (const from of ['one address', 'many addresses'] as const) {
    const rps = { alone: [] as number[], beside: [] as number[] };
    const took = { guesses: 0, mainMs: 0, otherMs: 0 };
    for (let turn = 0; turn < turns; turn++) {
      rps.alone.push(await read());
      const beside = guessPasswords(port, from);
      rps.beside.push(await read());
      await beside.stop();
      const [main, all] = [process.threadCpuUsage(), process.cpuUsage()];
      const alone = guessPasswords(port, from);
      await pause(turnSeconds * 1000);
      took.guesses += (await alone.stop()).sent;
      const [mainUsed, allUsed] = [process.threadCpuUsage(main), process.cpuUsage(all)];
      took.mainMs += (mainUsed.user + mainUsed.system) / 1000;
      took.otherMs += (allUsed.user + allUsed.system - mainUsed.user - mainUsed.system) / 1000;
    }
    const rates = { alone: percentile(rps.alone, 0.5), beside: percentile(rps.beside, 0.5) };
    const mainMs = took.mainMs / took.guesses;
    found[from] = {
      aloneRps: Math.round(rates.alone),
      besideRps: Math.round(rates.beside),
      ratio: rounded(rates.beside / rates.alone),
      guessMainMs: rounded(mainMs),
      guessOtherMs: rounded(took.otherMs / took.guesses),
      shareOfMainThread: rounded((mainMs * guessesASecond) / 1000),
    };
    say(`wrong passwords from ${from}: ${JSON.stringify(found[from])}`);
  }
  return found;
}

type BenchApp = Parameters<Parameters<typeof inBenchApp>[0]>[0];

/**
 * Sign-ins check a password with argon2id, slow on purpose; the clock goes ahead of the limits that hold
 * guessing back.
 */
async function benchLogin(
  { platform, clock }: BenchApp,
  email: string,
): Promise<{ rps: number; p99Ms: number }> {
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      while (performance.now() - began < 5000) {
        if (times.length % 50 === 49) clock.advance(hourMs);
        const start = performance.now();
        const origin = {
          address: `10.0.0.${lane}`,
          userAgent: 'bench',
          cookies: { read: () => '', keep: () => {}, forget: () => {} },
        };
        await verifyPassword(platform, { email, phone: '', password }, origin);
        times.push(performance.now() - start);
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1000;
  return { rps: rounded(times.length / elapsed), p99Ms: rounded(percentile(times, 0.99)) };
}

async function bareServer(body: unknown): Promise<{ app: FastifyInstance; port: number }> {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.get(
    listVehicles.path,
    { schema: { querystring: listVehicles.input, response: { 200: envelopeOf(listVehicles.output) } } },
    () => body,
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, port: (app.server.address() as AddressInfo).port };
}

async function signIn(port: number, email: string): Promise<SessionUser> {
  const response = await fetch(`http://127.0.0.1:${port}${login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return login.output.parse(readEnvelope(await response.json()).data);
}

const answerOf = async (port: number, at: string, token: string): Promise<unknown> =>
  (await fetch(`http://127.0.0.1:${port}${at}`, { headers: { authorization: `Bearer ${token}` } })).json();

function ask(wish: RoundWish): Promise<Round> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(path.join(import.meta.dirname, 'http', 'client.ts'), { workerData: wish });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
