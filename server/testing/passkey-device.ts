import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { NewPasskey, PasskeySignature } from '#contract/access/second-factor.ts';

/** The flags in an authenticator's data: user present, user verified, and new credential included. */
const flags = { present: 1, verified: 4, hasKey: 64 };

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer =>
  Buffer.concat([
    value.length < 256
      ? Buffer.from([0x58, value.length])
      : Buffer.from([0x59, value.length >> 8, value.length & 255]),
    value,
  ]);

/** A phone with a passkey, as a server sees it: it stores a key and signs with it (WebAuthn). */
export class PasskeyDevice {
  private readonly keys: { privateKey: KeyObject; publicKey: KeyObject };
  private readonly id = randomBytes(16);
  private counter = 0;
  private readonly origin: string;
  /** Whether the person unlocks the device. */
  isVerified = true;

  constructor(origin: string) {
    this.origin = origin;
    this.keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  private get rpIdHash(): Buffer {
    return sha256(new URL(this.origin).hostname);
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  private head(extra: number): Buffer {
    this.counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const set = flags.present | (this.isVerified ? flags.verified : 0) | extra;
    return Buffer.concat([this.rpIdHash, Buffer.from([set]), count]);
  }

  /** Creates the passkey for a challenge of the server. */
  make(challenge: string): NewPasskey {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    // A COSE key: type EC2, algorithm ES256, curve P-256, and the point.
    const key = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, 'base64url')),
    ]);
    const length = Buffer.from([0, this.id.length]);
    const authData = Buffer.concat([this.head(flags.hasKey), Buffer.alloc(16), length, this.id, key]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(authData),
    ]);
    return {
      id: this.id.toString('base64url'),
      rawId: this.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: this.clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Signs a challenge of the server. */
  sign(challenge: string): PasskeySignature {
    const clientData = this.clientData('webauthn.get', challenge);
    const authData = this.head(0);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.keys.privateKey);
    return {
      id: this.id.toString('base64url'),
      rawId: this.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    };
  }

  /** A copy of the device as it is now. The counter reveals the use of both. */
  copy(): PasskeyDevice {
    return Object.assign(new PasskeyDevice(this.origin), {
      keys: this.keys,
      id: this.id,
      counter: this.counter,
    });
  }
}
