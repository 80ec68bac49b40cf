/** A command whose first parameter, its context, is given once: what a service lists as its verb. */
export const bindCommand =
  <Context, Input extends unknown[], Result>(
    context: Context,
    command: (context: Context, ...input: Input) => Result,
  ) =>
  (...input: Input): Result =>
    command(context, ...input);
