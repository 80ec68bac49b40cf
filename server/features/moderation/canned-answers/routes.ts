import * as calls from '#contract/tickets/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import { listCannedAnswers, saveCannedAnswer, removeCannedAnswer } from './canned-answers.ts';

export function serveCannedAnswers(serve: Serve): void {
  serve(calls.listCannedAnswers, async (app) => ({ answers: await listCannedAnswers(app) }));
  serve(calls.saveCannedAnswer, (app, input, caller) => saveCannedAnswer(app, caller.userId, input));
  serve(calls.deleteCannedAnswer, (app, input, caller) => removeCannedAnswer(app, caller.userId, input.id));
}
