/** What this feature keeps as long as the process lives. */
export interface ConnectState {
  /** Deliveries that this process is sending, each with the id of its webhook. */
  inFlight: Map<Promise<void>, string>;
}

export const openConnect = (): ConnectState => ({ inFlight: new Map() });
