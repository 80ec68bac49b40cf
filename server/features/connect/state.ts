/** State of this feature that lives as long as the process. */
export interface ConnectState {
  /** Deliveries that this process is sending, each with the id of its webhook. */
  inFlight: Map<Promise<void>, string>;
}

export const openConnect = (): ConnectState => ({ inFlight: new Map() });
