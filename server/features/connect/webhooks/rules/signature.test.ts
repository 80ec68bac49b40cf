import { expect, test } from 'vitest';
import { secretText, signedHeaders } from './signature.ts';

// The example from the specification (standard-webhooks/spec, the tests of its reference libraries).
const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
};

test('signs as the specification’s example does', () => {
  expect(signedHeaders(message, [secret])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('with two secrets there are two signatures, the newer first', () => {
  const other = Buffer.from('another secret of some length');
  const both = signedHeaders(message, [other, secret])['webhook-signature']!.split(' ');
  expect(both).toHaveLength(2);
  expect(both[1]).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('a secret has the format of the receivers’ libraries', () => {
  expect(secretText(secret)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
});
