import * as keys from '#contract/connect/keys.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { ConnectService } from './service.ts';

export function serveConnect(serve: Serve, connect: ConnectService): void {
  serve(keys.listKeys, () => connect.keys.keys());
  serve(keys.makeKey, (input, caller) => connect.keys.make(caller, input));
  serve(keys.revokeKey, (input, caller) => connect.keys.revoke(caller.userId, input.id));
}
