import fastify, { LogController } from 'fastify';
import { expect, test } from 'vitest';
import { createLog } from '../observability/log.ts';
import { answerTrouble } from './http-errors.ts';

test.each([
  ['a fault of the server', new Error('broken')],
  ['a database that went away', Object.assign(new Error('gone'), { code: 'ECONNRESET', syscall: 'read' })],
])('of %s the log says at which route it was, and nothing of the address', async (_what, error) => {
  let lines = '';
  const log = createLog({ LOG_LEVEL: 'info', production: true }, { write: (line) => (lines += line) });
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log,
  });
  http.setErrorHandler((thrown, request, reply) => answerTrouble(thrown, request, reply));
  http.get('/files/export/:code', () => Promise.reject(error));
  const answer = await http.inject({ method: 'GET', url: '/files/export/signed-code?text=Elm%20Street%207' });
  expect(answer.statusCode).toBeGreaterThanOrEqual(500);
  expect(lines).toContain('"path":"/files/export/:code"');
  expect(lines).not.toMatch(/signed-code|Elm/);
});
