import * as demo from '#contract/demo/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { listEmails } from './list-emails.ts';
import { moveClock } from './move-clock.ts';
import { showsOutbox } from './policy.ts';

/** A call that this installation does not offer is not registered, so its path answers as an unknown one. */
export function serveDemo(serve: Serve, app: App): void {
  if (showsOutbox(app.env)) serve(demo.readOutbox, async () => ({ letters: await listEmails(app) }));
  if (app.env.DEMO) serve(demo.moveClock, ({ to }) => moveClock(app, to === null ? null : new Date(to)));
}
