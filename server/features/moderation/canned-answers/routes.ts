import { deleteCannedAnswer, listCannedAnswers, saveCannedAnswer } from '#contract/tickets/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { CannedAnswersService } from './service.ts';

export function serveCannedAnswers(serve: Serve, answers: CannedAnswersService): void {
  serve(listCannedAnswers, async () => ({ answers: await answers.list() }));
  serve(saveCannedAnswer, (input, caller) => answers.save(caller.userId, input));
  serve(deleteCannedAnswer, async (input, caller) => {
    await answers.remove(caller.userId, input.id);
    return {};
  });
}
