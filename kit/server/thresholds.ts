/** Thresholds for operator attention, and intervals. Real time, unless a comment names the product's clock. */
export const thresholds = {
  remindMs: 60_000,
  /** An outside service whose failures span this time, without a success in between, becomes a task. */
  outageMs: 300_000,
  noteMs: 2_000,
  lookMs: 60_000,
  /** The product's clock: a number transfer without news from the network for this long. */
  stillPortHours: 24,
  /** The product's clock: a message that has been tried for this long. */
  unsentHours: 24,
  /** The product's clock: a call that the gateway acknowledged is repeated after this long without its outcome. */
  askAgainHours: 1,
  /** The product's clock: the same call becomes a task after this long. */
  unconfirmedHours: 24,
  /** A notification may be in transit for this long, however fast a demo's clock runs. */
  onItsWayMs: 10_000,
  nightLookMs: 60_000,
  /** Orders per batch. A pause follows each batch, so that customers do not notice. */
  nightOrders: 20,
  nightPauseMs: 1_000,
  /** The product's clock: each night repeats this part of the period before, because not everything was known then. */
  nightOverlapHours: 48,
  /** A larger difference between two clocks is reported: a card is encrypted with one clock's time and checked with the other's. */
  clockMs: 30_000,
  /** A wrong clock or setting counts as corrected after this long without a fault, so that an intermittent fault is one task. */
  calmMs: 300_000,
  /** Maximum services per round whose usage is checked; 0 checks none. */
  usageLooks: 100,
  /** The catalogue on offer is cached for this long. A purchase always reads it again. */
  offerKeptMs: 1_000,
  noticesKeptMs: 15_000,
  healthKeptMs: 5_000,
  providerMinutesMs: 60_000,
  /** Minimum time between two mails to the operator, unless a new task is urgent. */
  operatorMailMs: 3_600_000,
}
export type Thresholds = typeof thresholds
