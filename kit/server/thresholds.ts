/** Thresholds for operator attention, and intervals. They are in real time, unless a comment names the product's clock. */
export const thresholds = {
  remindMs: 60_000,
  /** An outside service becomes a task when its failures span this many milliseconds without a success in between. */
  outageMs: 300_000,
  noteMs: 2_000,
  lookMs: 60_000,
  /** Hours on the product's clock without news from the network after which a number transfer needs attention. */
  stillPortHours: 24,
  /** Hours on the product's clock for which a message has been tried without success before it needs attention. */
  unsentHours: 24,
  /** Hours on the product's clock after which a call that the gateway acknowledged is repeated if its outcome has not arrived. */
  askAgainHours: 1,
  /** Hours on the product's clock after which a call without an outcome becomes a task. */
  unconfirmedHours: 24,
  /** A notification may be in transit for this many milliseconds, however fast a demo's clock runs. */
  onItsWayMs: 10_000,
  nightLookMs: 60_000,
  /** Orders per batch of the nightly reconciliation. A pause follows each batch, so that customers do not notice. */
  nightOrders: 20,
  nightPauseMs: 1_000,
  /**
   * Hours on the product's clock of the previous period that each nightly reconciliation repeats, because not everything was known then.
   */
  nightOverlapHours: 48,
  /** A larger difference between two clocks is reported, because a card is encrypted with one clock's time and checked with the other's. */
  clockMs: 30_000,
  /**
   * A wrong clock or setting counts as corrected after this many milliseconds without a fault, so that an intermittent fault is one task.
   */
  calmMs: 300_000,
  /** Maximum services per round whose usage is checked; 0 checks none. */
  usageLooks: 100,
  /** The catalogue on offer is cached for this many milliseconds. A purchase always reads it again. */
  offerKeptMs: 1_000,
  noticesKeptMs: 15_000,
  healthKeptMs: 5_000,
  providerMinutesMs: 60_000,
  /** Minimum milliseconds between two emails to the operator, unless a new task is urgent. */
  operatorMailMs: 3_600_000,
}
export type Thresholds = typeof thresholds
