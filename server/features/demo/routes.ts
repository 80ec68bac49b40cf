import * as demo from '#contract/demo/endpoints.ts';
import type { App, Serve } from '../../app-type.ts';
import { listEmails, moveClock } from './inbox-and-clock.ts';
import { showsOutbox } from './policy.ts';

/** A call that this installation does not offer is not registered, so its path answers as an unknown one. */
export function serveDemo(serve: Serve, app: App): void {
  if (showsOutbox(app.env)) serve(demo.readOutbox, async (app) => ({ letters: await listEmails(app) }));
  if (app.env.DEMO) serve(demo.moveClock, (app, { to }) => moveClock(app, to === null ? null : new Date(to)));
}
