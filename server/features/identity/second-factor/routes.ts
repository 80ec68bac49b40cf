import * as calls from '#contract/access/second-factor.ts';
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
  serve(calls.readSecondFactor, (app, _, caller) => readSecondFactor(app, caller));
  serve(calls.beginTotp, (app, _, caller) => beginTotp(app, caller));
  serve(calls.confirmTotp, (app, input, caller) => confirmTotp(app, caller, input.code));
  serve(calls.removeTotp, (app, _, caller) => removeTotp(app, caller));
  serve(calls.renewRecoveryCodes, (app, _, caller) => renewRecoveryCodes(app, caller));
  serve(calls.beginPasskey, (app, _, caller) => beginPasskey(app, caller));
  serve(calls.addPasskey, (app, input, caller) => addPasskey(app, caller, input));
  serve(calls.renamePasskey, (app, input, caller) => renamePasskey(app, caller, input));
  serve(calls.removePasskey, (app, input, caller) => removePasskey(app, caller, input.id));
  serve(calls.passkeySignInOptions, (app) => passkeySignInOptions(app));
  serve(calls.signInByPasskey, (app, input, _, origin) => signInByPasskey(app, input, origin));
  serve(calls.secondStepOptions, (app, input) => secondStepOptions(app, input.ticket));
  serve(calls.secondStep, (app, input, _, origin) => secondStep(app, input, origin));
  serve(calls.proveOptions, (app, _, caller) => proveOptions(app, caller));
  serve(calls.sendProofCode, (app, _, caller, origin) => sendProofCode(app, caller, origin));
  serve(calls.prove, (app, input, caller, origin) => prove(app, caller, input, origin));
}
