import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { appVersion } from '#contract/app/endpoints.ts';
import { openTestApp, type TestApp } from './testing/test-app.ts';

interface Operation {
  summary: string;
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, unknown> };
}

const apps: TestApp[] = [];
let documents: Record<'demo' | 'production', Document>;
const open = async (env: Record<string, string>): Promise<Document> => {
  const app = await openTestApp({ env });
  apps.push(app);
  const answer = await app.http.inject({ method: 'GET', url: '/openapi.json' });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

beforeAll(async () => {
  documents = { demo: await open({ DEMO: '1' }), production: await open({ NODE_ENV: 'production' }) };
});
afterAll(async () => {
  for (const app of apps) await app.close();
});

const callsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

describe('the app', () => {
  test('serves every call of the contract and no other', () => {
    const promised = allEndpoints.map(({ method, path }) => `${method} ${path}`);
    expect(callsOf(documents.demo).toSorted()).toEqual(promised.toSorted());
    expect(new Set(promised).size).toBe(promised.length);
  });

  test('has no demo calls in production', () => {
    const calls = callsOf(documents.production);
    expect(calls.filter((call) => call.includes('/demo/'))).toEqual([]);
    expect(calls).toHaveLength(allEndpoints.filter(({ path }) => !path.startsWith('/demo/')).length);
  });

  test('answers an address that cannot be read with 400 in plain text', async () => {
    const answer = await apps[0]?.http.inject({ method: 'GET', url: '/pages/%zz' });
    expect(answer?.statusCode).toBe(400);
    expect(answer?.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer?.body).toBe('We couldn’t read the request.');
  });

  test('answers what it does not serve with 404 in plain text', async () => {
    const [app] = apps;
    for (const url of ['/order/nothing', '/nowhere', '/order/list/']) {
      const answer = await app?.http.inject({ method: 'GET', url });
      expect([url, answer?.statusCode, answer?.headers['content-type']]).toEqual([
        url,
        404,
        'text/plain; charset=utf-8',
      ]);
    }
  });
});

describe('a call that does not arrive whole', () => {
  const post = async (payload: string, type = 'application/json') => {
    const headers = { 'content-type': type };
    const answer = await apps[0]!.http.inject({ method: 'POST', url: '/access/login', payload, headers });
    return [answer.statusCode, answer.headers['content-type'], answer.body];
  };
  const text = 'text/plain; charset=utf-8';

  test('is an HTTP status with its words in plain text, never the envelope that signs people out', async () => {
    expect(await post('{"email":')).toEqual([400, text, 'We couldn’t read the request.']);
    expect(await post('email=mia', 'application/x-www-form-urlencoded')).toEqual([
      415,
      text,
      'Please send JSON.',
    ]);
    expect(await post(JSON.stringify({ email: 'x'.repeat(20_000_000) }))).toEqual([
      413,
      text,
      'The request is too large.',
    ]);
  });

  test('that is empty is refused by field, with code 422', async () => {
    const [status, type, body] = await post('{}');
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(String(body))).toMatchObject({
      code: 422,
      info: expect.any(String),
      data: { fields: { password: 'Please enter password.' } },
    });
  });

  test('our own fault says Server Error, and nothing of the inside', async () => {
    const [app] = apps;
    const failing = vi.spyOn(app!.platform.env, 'ALLOWED_EMAIL_DOMAINS', 'get').mockImplementation(() => {
      throw new Error('secret path');
    });
    const answer = await app!.http.inject({ method: 'GET', url: '/access/get-allowed-email-domains' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([500, text]);
    expect(answer.body).toMatch(/^Server Error \(.+\)$/);
    expect(answer.body).not.toContain('secret');
    failing.mockRestore();
  });
});

describe('/openapi.json', () => {
  test('is valid by the OpenAPI specification’s own schema', async () => {
    const result = await new Validator().validate({ ...structuredClone(documents.demo) });
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test('is OpenAPI 3.1 of this version', () => {
    expect(documents.demo.openapi).toMatch(/^3\.1\.\d+$/);
    expect(documents.demo.info).toMatchObject({ title: 'Sameway', version: appVersion });
  });

  test('describes each call: what it takes, and the envelope it answers with', () => {
    const ids = new Set<string>();
    for (const { method, path, summary, input, takesFile } of allEndpoints) {
      const operation = documents.demo.paths[path]?.[method.toLowerCase()];
      expect(operation, path).toBeDefined();
      if (operation === undefined) continue;
      expect(operation.summary).toBe(summary);
      ids.add(operation.operationId);
      const fields = Object.keys(input.shape).toSorted();
      if (method === 'GET') {
        expect((operation.parameters ?? []).map(({ name }) => name).toSorted(), path).toEqual(fields);
        for (const parameter of operation.parameters ?? []) expect(parameter.in).toBe('query');
      } else {
        const type = takesFile === true ? 'multipart/form-data' : 'application/json';
        const body = operation.requestBody?.content[type]?.schema;
        expect(body, path).toBeDefined();
        if (takesFile === true) expect(body).toHaveProperty(['properties', 'file', 'format'], 'binary');
      }
      const schema = operation.responses['200']?.content['application/json']?.schema;
      expect(schema, path).toMatchObject({ type: 'object', required: ['code', 'info'] });
    }
    expect(ids.size).toBe(allEndpoints.length);
  });

  test('refers to nothing that it does not hold', () => {
    const text = JSON.stringify(documents.demo);
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
      expect(pointer).toMatch(/^#\/components\/schemas\//);
      expect(documents.demo.components?.schemas).toHaveProperty([pointer.split('/').at(-1) ?? '']);
    }
  });
});
