import { appeal, postFeedback } from '#contract/feedback/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { FeedbackService } from './service.ts';

export function serveFeedback(serve: Serve, feedback: FeedbackService): void {
  serve(appeal, (input) => feedback.appeal(input));
  serve(postFeedback, (input, caller) => feedback.post(caller.userId, input));
}
