import * as calls from '#contract/tickets/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { listCannedAnswers, saveCannedAnswer, removeCannedAnswer } from './canned-answers.ts';

export function serveCannedAnswers(serve: Serve, app: App): void {
  serve(calls.listCannedAnswers, async () => ({ answers: await listCannedAnswers(app) }));
  serve(calls.saveCannedAnswer, (input, caller) => saveCannedAnswer(app, caller.userId, input));
  serve(calls.deleteCannedAnswer, async (input, caller) => {
    await removeCannedAnswer(app, caller.userId, input.id);
    return {};
  });
}
