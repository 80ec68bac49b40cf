import type { SecondFactor } from '#contract/access/second-factor.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Codes } from '../codes.ts';
import { createCeremonies } from './ceremonies.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys.ts';
import { prove, proveOptions, sendProofCode } from './prove.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { secondStep, secondStepOptions, signInByPasskey } from './second-step.ts';
import * as store from './store.ts';
import { beginTotp, confirmTotp, removeTotp } from './totp.ts';
import { viewFactors } from './view.ts';

export type SecondFactorService = ReturnType<typeof createSecondFactor>;

/** Authenticator apps, passkeys and recovery codes: setup, sign-in and step-up. */
export function createSecondFactor(platform: Platform, codes: Codes) {
  const ceremonies = createCeremonies(platform);
  const context = { platform, codes, ceremonies };
  const { passkeysFor } = ceremonies;
  return {
    async read({ userId, staffRole }: Caller): Promise<SecondFactor> {
      const isRequired = staffRole !== null && !platform.env.DEMO;
      return viewFactors(await store.factorsOf(platform.db, userId), { isRequired, passkeysFor });
    },
    beginTotp: beginTotp.bind(null, context),
    confirmTotp: confirmTotp.bind(null, context),
    removeTotp: removeTotp.bind(null, context),
    renewRecoveryCodes: renewRecoveryCodes.bind(null, context),
    beginPasskey: beginPasskey.bind(null, context),
    addPasskey: addPasskey.bind(null, context),
    renamePasskey: renamePasskey.bind(null, context),
    removePasskey: removePasskey.bind(null, context),
    passkeySignInOptions: () => ceremonies.toSign('signIn', null),
    signInByPasskey: signInByPasskey.bind(null, context),
    secondStepOptions: secondStepOptions.bind(null, context),
    secondStep: secondStep.bind(null, context),
    proveOptions: proveOptions.bind(null, context),
    sendProofCode: sendProofCode.bind(null, context),
    prove: prove.bind(null, context),
    clearOld: store.clearOld,
  };
}
