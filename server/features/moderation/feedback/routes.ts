import * as calls from '#contract/feedback/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import { writeAppeal, writeFeedback } from './write-feedback.ts';

export function serveFeedback(serve: Serve): void {
  serve(calls.appeal, (app, input) => writeAppeal(app, input));
  serve(calls.postFeedback, (app, input, caller) => writeFeedback(app, caller.userId, input));
}
