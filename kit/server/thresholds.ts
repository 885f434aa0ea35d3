/** Intervals, and thresholds for the operator's attention. They are in real time unless a comment mentions the application's clock. */
export const thresholds = {
  remindMs: 60_000,
  /** Milliseconds that an external service's failures must span, without a success in between, before they become a task. */
  outageMs: 300_000,
  noteMs: 2_000,
  lookMs: 60_000,
  /** Hours on the application's clock without an update from the network before a number transfer needs attention. */
  stillPortHours: 24,
  /** Hours on the application's clock that a message is retried without success before it needs attention. */
  unsentHours: 24,
  /** Hours on the application's clock to wait for the outcome of a request that the gateway acknowledged, before repeating it. */
  askAgainHours: 1,
  /** Hours on the application's clock before a gateway request without an outcome becomes a task. */
  unconfirmedHours: 24,
  /** Milliseconds that a notification may be in transit, however fast a demo's clock runs. */
  notificationTransitMs: 10_000,
  nightLookMs: 60_000,
  /** Orders per batch in the nightly reconciliation. There is a pause after each batch, so that customers don't notice. */
  nightOrders: 20,
  nightPauseMs: 1_000,
  /**
   * Hours on the application's clock by which each nightly reconciliation overlaps the previous one, because some outcomes were still
   * unknown then.
   */
  nightOverlapHours: 48,
  /** Clock differences above this are reported, because a card is encrypted using one clock's time and checked against the other's. */
  clockMs: 30_000,
  /**
   * Milliseconds without a fault before a wrong clock or setting counts as corrected, so that an intermittent fault creates only one task.
   */
  calmMs: 300_000,
  /** Maximum number of services whose usage is checked per round; 0 checks none. */
  usageLooks: 100,
  /** Milliseconds for which the catalogue on offer is cached. A purchase always reads it afresh. */
  offerKeptMs: 1_000,
  noticesKeptMs: 15_000,
  healthKeptMs: 5_000,
  providerMinutesMs: 60_000,
  /** Minimum milliseconds between emails to the operator, unless a new task is urgent. */
  operatorMailMs: 3_600_000,
}
export type Thresholds = typeof thresholds
