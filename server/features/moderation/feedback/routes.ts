import * as calls from '#contract/feedback/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { writeAppeal, writeFeedback } from './write-feedback.ts';

export function serveFeedback(serve: Serve, app: App): void {
  serve(calls.appeal, (input) => writeAppeal(app, input));
  serve(calls.postFeedback, (input, caller) => writeFeedback(app, caller.userId, input));
}
