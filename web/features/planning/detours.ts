/** Detours a driver can choose, in minutes. */
export const detourMinutes = [0, 5, 10, 15, 20, 30, 45];
