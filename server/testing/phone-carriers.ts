import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { jwtVerify } from 'jose';

/** One message as a carrier took it: where to, and what it says. */
export interface CarriedMessage {
  token: string;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** A carrier's answer from now on. */
export interface CarrierAnswer {
  status: number;
  body: unknown;
}

export interface PhoneCarriers {
  /** The settings that lead a server to both. */
  env: Record<string, string>;
  fcm: { received: CarriedMessage[]; answer: CarrierAnswer; signIns: number; endTokens(): void };
  apns: { received: CarriedMessage[]; answer: CarrierAnswer; connections: number };
  close(): void;
}

const appId = 'com.example.sameway';
const teamId = 'TEAM123456';
const keyId = 'KEY1234567';
const clientEmail = 'push@sameway-test.iam.gserviceaccount.com';
const taken: CarrierAnswer = { status: 200, body: {} };

/** Google's sign-in with Firebase Cloud Messaging, and Apple's push service: both check who sends. */
export async function openPhoneCarriers(): Promise<PhoneCarriers> {
  const google = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const fcm = await openFcm(google.publicKey);
  const apns = await openApns(apple.publicKey);
  const account = {
    type: 'service_account',
    project_id: 'sameway-test',
    client_email: clientEmail,
    private_key: google.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${fcm.origin}/token`,
  };
  return {
    env: {
      PHONE_APP_ID: appId,
      FCM_SERVICE_ACCOUNT: JSON.stringify(account),
      FCM_URL: fcm.origin,
      APPLE_TEAM_ID: teamId,
      APNS_KEY: String(apple.privateKey.export({ type: 'pkcs8', format: 'pem' })).replaceAll('\n', '\\n'),
      APNS_KEY_ID: keyId,
      APNS_URL: apns.origin,
    },
    fcm: fcm.carrier,
    apns: apns.carrier,
    close() {
      fcm.server.close();
      apns.server.close();
    },
  };
}

async function openFcm(publicKey: KeyObject) {
  let token = '';
  const carrier: PhoneCarriers['fcm'] = {
    received: [],
    answer: taken,
    signIns: 0,
    endTokens: () => (token = ''),
  };
  const server = createServer((request, response) => {
    const say = ({ status, body }: CarrierAnswer) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    void answer(request).then(say, (error: unknown) => say({ status: 400, body: String(error) }));
  });
  const origin = await listening(server);

  async function answer(request: IncomingMessage): Promise<CarrierAnswer> {
    const text = await textOf(request);
    if (request.url === '/token') {
      const form = new URLSearchParams(text);
      if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
        throw new Error('another grant');
      const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
        algorithms: ['RS256'],
        issuer: clientEmail,
        audience: `${origin}/token`,
        requiredClaims: ['iat', 'exp'],
      });
      if (payload['scope'] !== 'https://www.googleapis.com/auth/firebase.messaging')
        throw new Error('another scope');
      token = `granted-${++carrier.signIns}`;
      return { status: 200, body: { access_token: token, expires_in: 3600, token_type: 'Bearer' } };
    }
    if (request.url !== '/v1/projects/sameway-test/messages:send') return { status: 404, body: {} };
    if (token === '' || request.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { error: { status: 'UNAUTHENTICATED' } } };
    if (carrier.answer.status !== 200) return carrier.answer;
    const { message } = JSON.parse(text) as { message: Record<string, unknown> & { token: string } };
    carrier.received.push({ token: message.token, headers: { ...request.headers }, body: message });
    return { status: 200, body: { name: 'projects/sameway-test/messages/1' } };
  }
  return { server, origin, carrier };
}

async function openApns(publicKey: KeyObject) {
  const carrier: PhoneCarriers['apns'] = { received: [], answer: taken, connections: 0 };
  const server = createHttp2Server();
  server.on('session', () => carrier.connections++);
  server.on('stream', (stream, headers) => {
    const say = ({ status, body }: CarrierAnswer) => {
      stream.respond({ ':status': status });
      stream.end(status === 200 ? '' : JSON.stringify(body));
    };
    const answer = async (): Promise<CarrierAnswer> => {
      const text = await textOf(stream);
      const [, token] = /^\/3\/device\/([\w]+)$/.exec(headers[':path'] ?? '') ?? [];
      if (token === undefined) return { status: 404, body: { reason: 'BadPath' } };
      if (headers['apns-topic'] !== appId) return { status: 400, body: { reason: 'BadTopic' } };
      const [, signed = ''] = /^bearer (.+)$/.exec(String(headers['authorization'])) ?? [];
      const { protectedHeader } = await jwtVerify(signed, publicKey, {
        algorithms: ['ES256'],
        issuer: teamId,
        requiredClaims: ['iat'],
        maxTokenAge: '1h',
      });
      if (protectedHeader.kid !== keyId) throw new Error('another key');
      if (carrier.answer.status !== 200) return carrier.answer;
      carrier.received.push({
        token,
        headers: { ...headers },
        body: JSON.parse(text) as Record<string, unknown>,
      });
      return taken;
    };
    void answer().then(say, () => say({ status: 403, body: { reason: 'InvalidProviderToken' } }));
  });
  return { server, origin: await listening(server), carrier };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(parts: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part.toString();
  return text;
}
