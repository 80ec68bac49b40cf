import { changePassword, login, retrievePasswordConfirm, signup } from './access/endpoints.ts';
import { postFeedback } from './feedback/endpoints.ts';
import { createOrder } from './rides/endpoints.ts';
import { makeOwner } from './setup/endpoints.ts';

/*
 * The inputs of calls that forms of the web app check before they send them. A browser has of a call itself
 * only what it needs to make it (scripts/web-build/thin-contract.ts).
 */

export const changePasswordInput = changePassword.input;
export const feedbackInput = postFeedback.input;
export const loginInput = login.input;
export const newPasswordInput = retrievePasswordConfirm.input;
export const ownerInput = makeOwner.input;
export const orderInput = createOrder.input;
export const signupInput = signup.input;
