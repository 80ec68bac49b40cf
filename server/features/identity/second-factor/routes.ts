import * as factorCalls from '#contract/access/second-factor.ts';
import type { Serve } from '../../../app-type.ts';
import { beginPasskey, addPasskey, renamePasskey, removePasskey } from './passkeys.ts';
import { proveOptions, sendProofCode, prove } from './prove.ts';
import {
  readSecondFactor,
  renewRecoveryCodes,
  beginTotp,
  confirmTotp,
  removeTotp,
} from './change-factors.ts';
import { passkeySignInOptions, signInByPasskey, secondStepOptions, secondStep } from './second-step.ts';

export function serveSecondFactor(serve: Serve): void {
  serve(factorCalls.readSecondFactor, (app, _, caller) => readSecondFactor(app, caller));
  serve(factorCalls.beginTotp, (app, _, caller) => beginTotp(app, caller));
  serve(factorCalls.confirmTotp, (app, input, caller) => confirmTotp(app, caller, input.code));
  serve(factorCalls.removeTotp, (app, _, caller) => removeTotp(app, caller));
  serve(factorCalls.renewRecoveryCodes, (app, _, caller) => renewRecoveryCodes(app, caller));
  serve(factorCalls.beginPasskey, (app, _, caller) => beginPasskey(app, caller));
  serve(factorCalls.addPasskey, (app, input, caller) => addPasskey(app, caller, input));
  serve(factorCalls.renamePasskey, (app, input, caller) => renamePasskey(app, caller, input));
  serve(factorCalls.removePasskey, (app, input, caller) => removePasskey(app, caller, input.id));
  serve(factorCalls.passkeySignInOptions, (app) => passkeySignInOptions(app));
  serve(factorCalls.signInByPasskey, (app, input, _, origin) => signInByPasskey(app, input, origin));
  serve(factorCalls.secondStepOptions, (app, input) => secondStepOptions(app, input.ticket));
  serve(factorCalls.secondStep, (app, input, _, origin) => secondStep(app, input, origin));
  serve(factorCalls.proveOptions, (app, _, caller) => proveOptions(app, caller));
  serve(factorCalls.sendProofCode, (app, _, caller, origin) => sendProofCode(app, caller, origin));
  serve(factorCalls.prove, (app, input, caller, origin) => prove(app, caller, input, origin));
}
