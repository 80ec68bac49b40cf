import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { prepareDrain } from './drain.ts';

/**
 * Calls from a thread of its own, each call on a new connection, so that connections wait to be accepted
 * while the server works. It stops at the first refused connection and reports how many calls were answered
 * and with which errors others ended.
 */
const callerThread = `
  const http = require('node:http');
  const { parentPort, workerData: port } = require('node:worker_threads');
  const failures = [];
  let answered = 0, isRefused = false;
  const call = () => new Promise((resolve) => {
    const request = http.request({ host: '127.0.0.1', port, path: '/work', method: 'POST', agent: false }, (response) => {
      response.resume().once('end', () => { answered++; resolve(); });
    });
    request.once('error', ({ code }) => {
      if (code === 'ECONNREFUSED') isRefused = true;
      else failures.push(code);
      resolve();
    });
    request.end();
  });
  const loop = async () => { while (!isRefused) { await call(); await new Promise((resolve) => setTimeout(resolve, 2)); } };
  Promise.all(Array.from({ length: 6 }, loop)).then(() => parentPort.postMessage({ answered, failures }));
`;

/** Makes calls over a connection that stays open until the server closes it. */
const call = (port: number, path: string, agent: http.Agent) =>
  new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode, connection: response.headers.connection });
      });
    });
    request.once('error', reject);
  });

test('a server that is ended answers what is under way and what comes meanwhile, and asks every connection to close', async () => {
  const app = fastify();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    begun.resolve();
    await gate.promise;
    return 'done';
  });
  app.get('/quick', () => 'done');
  const drain = prepareDrain(app);
  expect(drain.isUnderWay).toBe(false);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const others = new http.Agent({ keepAlive: true });
  expect(await call(port, '/quick', others)).toEqual({ status: 200, connection: 'keep-alive' });

  const slow = call(port, '/slow', agent);
  await begun.promise;
  const order: string[] = [];
  const drained = drain.run(async () => void order.push('live closed'));
  void drained.then(() => order.push('ended'));
  // While a call is under way the port stays open, on connections opened before and on new ones.
  for (let turn = 0; turn < 20; turn++)
    expect(await call(port, '/quick', others)).toEqual({ status: 200, connection: 'close' });
  expect(order).toEqual([]);
  gate.resolve();
  expect(await slow).toEqual({ status: 200, connection: 'close' });
  await drained;
  expect(order).toEqual(['live closed', 'ended']);
  await expect(call(port, '/quick', others)).rejects.toThrow('ECONNREFUSED');
});

test('calls on connections that wait to be accepted while the port closes are answered', async () => {
  const app = fastify();
  const underLoad = Promise.withResolvers<void>();
  let workedCount = 0;
  app.post('/work', () => {
    workedCount++;
    if (workedCount === 50) underLoad.resolve();
    const untilMs = performance.now() + 3;
    while (performance.now() < untilMs);
    return 'done';
  });
  const drain = prepareDrain(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const caller = new Worker(callerThread, {
    eval: true,
    workerData: (app.server.address() as AddressInfo).port,
  });
  const report = new Promise<{ answered: number; failures: string[] }>((resolve) =>
    caller.once('message', resolve),
  );
  await underLoad.promise;
  await drain.run(async () => undefined);
  const { answered, failures } = await report;
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(50);
});
