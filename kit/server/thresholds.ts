/** Thresholds for operator attention, and intervals. Real time, unless a comment names the product's clock. */
export const thresholds = {
  /** Interval of log lines about a continuing failure. */
  remindMs: 60_000,
  /** An outside service whose failures span this time, without a success in between, becomes a task. */
  outageMs: 300_000,
  /** A process writes its observations of the outside services to the database within this time. */
  noteMs: 2_000,
  /** Interval of the checks that create tasks and close tasks that are over. */
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
  /** Interval of the checks whether it is night. At night, sales are compared with the providers' records. */
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
  /** Notices on the portal are cached for this long. */
  noticesKeptMs: 15_000,
  /** The desk's health page is cached for this long. */
  healthKeptMs: 5_000,
  /** Each process writes the outside services' results to the database at this interval. */
  providerMinutesMs: 60_000,
  /** Minimum time between two mails to the operator, unless a new task is urgent. */
  operatorMailMs: 3_600_000,
}
export type Thresholds = typeof thresholds
