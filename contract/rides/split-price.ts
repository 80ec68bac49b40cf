/**
 * Splits a price per car among bookings by their seats, to the cent: the parts add up to the price exactly,
 * odd cents go to those who joined first.
 */
export function splitCarPrice(costCents: number, seatsOfBookings: readonly number[]): number[] {
  const seats = seatsOfBookings.reduce((sum, each) => sum + each, 0);
  if (seats === 0) return [];
  const parts = seatsOfBookings.map((each) => Math.floor((costCents * each) / seats));
  let odd = costCents - parts.reduce((sum, each) => sum + each, 0);
  return parts.map((part) => (odd-- > 0 ? part + 1 : part));
}
