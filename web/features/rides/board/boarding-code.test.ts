import { expect, test } from 'vitest';
import { boardingCodePrefix } from '#contract/trips/endpoints.ts';
import { readBoardingCode } from './boarding-code.ts';

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' };
const bookingId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const endsAtMs = Date.parse('2026-11-24T17:00:00Z');

async function makeCode(): Promise<{ code: string; key: { x: string; y: string } }> {
  const pair = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
  const body = new Uint8Array(20);
  body.set(Uint8Array.from(bookingId.replaceAll('-', '').match(/../g)!, (hex) => Number.parseInt(hex, 16)));
  new DataView(body.buffer).setUint32(16, endsAtMs / 1000);
  const signature = new Uint8Array(
    await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, body),
  );
  const written = btoa(String.fromCharCode(...body, ...signature))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  return { code: `${boardingCodePrefix}${written}`, key: { x, y } };
}

test('a code that was signed by the server is good until it ends', async () => {
  const { code, key } = await makeCode();
  const keys = { ...key, others: [] };
  expect(await readBoardingCode(code, keys, endsAtMs - 1)).toEqual({ kind: 'good', bookingId });
  expect(await readBoardingCode(code, keys, endsAtMs)).toEqual({ kind: 'ended', bookingId });
  expect(await readBoardingCode(code, undefined, endsAtMs)).toEqual({ kind: 'unchecked', bookingId });
});

test('while the key is replaced, a code of any of the handed keys is good', async () => {
  const [own, other, third] = [await makeCode(), await makeCode(), await makeCode()];
  const keys = { ...own.key, others: [third.key, other.key] };
  expect(await readBoardingCode(other.code, keys, endsAtMs - 1)).toEqual({ kind: 'good', bookingId });
  const fewer = { ...own.key, others: [third.key] };
  expect(await readBoardingCode(other.code, fewer, endsAtMs - 1)).toEqual({ kind: 'foreign' });
});

test('one that was signed by somebody else, changed, or is something else is foreign', async () => {
  const { code } = await makeCode();
  const keys = { ...(await makeCode()).key, others: [] };
  for (const text of [code, 'https://example.com', boardingCodePrefix, `${boardingCodePrefix}%%%`])
    expect(await readBoardingCode(text, keys, 0)).toEqual({ kind: 'foreign' });
});
