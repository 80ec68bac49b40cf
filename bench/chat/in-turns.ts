/** Does `work` `times` times, at most `inFlight` at once. */
export async function inTurns(
  times: number,
  inFlight: number,
  work: (turn: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let turn = next++; turn < times; turn = next++) await work(turn);
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, times) }, lane));
}
