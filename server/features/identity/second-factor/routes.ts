import * as calls from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { beginPasskey, addPasskey, renamePasskey, removePasskey } from './passkeys.ts';
import { proveOptions, sendProofCode, prove } from './prove.ts';
import { readSecondFactor } from './read-second-factor.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { passkeySignInOptions, signInByPasskey, secondStepOptions, secondStep } from './second-step.ts';
import { beginTotp, confirmTotp, removeTotp } from './totp.ts';

export function serveSecondFactor(serve: Serve, app: App): void {
  serve(calls.readSecondFactor, (_, caller) => readSecondFactor(app, caller));
  serve(calls.beginTotp, (_, caller) => beginTotp(app, caller));
  serve(calls.confirmTotp, (input, caller) => confirmTotp(app, caller, input.code));
  serve(calls.removeTotp, async (_, caller) => {
    await removeTotp(app, caller);
    return {};
  });
  serve(calls.renewRecoveryCodes, (_, caller) => renewRecoveryCodes(app, caller));
  serve(calls.beginPasskey, (_, caller) => beginPasskey(app, caller));
  serve(calls.addPasskey, (input, caller) => addPasskey(app, caller, input));
  serve(calls.renamePasskey, (input, caller) => renamePasskey(app, caller, input));
  serve(calls.removePasskey, async (input, caller) => {
    await removePasskey(app, caller, input.id);
    return {};
  });
  serve(calls.passkeySignInOptions, () => passkeySignInOptions(app));
  serve(calls.signInByPasskey, (input, _, origin) => signInByPasskey(app, input, origin));
  serve(calls.secondStepOptions, (input) => secondStepOptions(app, input.ticket));
  serve(calls.secondStep, (input, _, origin) => secondStep(app, input, origin));
  serve(calls.proveOptions, (_, caller) => proveOptions(app, caller));
  serve(calls.sendProofCode, (_, caller, origin) => sendProofCode(app, caller, origin));
  serve(calls.prove, (input, caller, origin) => prove(app, caller, input, origin));
}
