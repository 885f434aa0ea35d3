/** From when on something is worth a person's time. Real time, unless it says the product's clock. */
export const thresholds = {
  /** What goes on failing is in the log as often as this. */
  remindMs: 60_000,
  /** An outside service that failed and failed again over this long, and answered nobody between, is a task. */
  outageMs: 300_000,
  /** What a process has heard of the outside services is in the database after this long. */
  noteMs: 2_000,
  /** How often it is looked for what has become a task, and for tasks that are over. */
  lookMs: 60_000,
  /** The product's clock: a number transfer of which the network says nothing new for so long. */
  stillPortHours: 24,
  /** The product's clock: a message that has been tried for so long. */
  unsentHours: 24,
  /** The product's clock: what the gateway acknowledged, and has told no outcome of for so long, is asked for once more. */
  askAgainHours: 1,
  /** The product's clock: and is a task after so long. */
  unconfirmedHours: 24,
  /** A notification may be on its way for this long, however fast the clock of a demo goes. */
  onItsWayMs: 10_000,
  /** How often it is looked whether it is night: then what was sold is compared with the providers' books. */
  nightLookMs: 60_000,
  /** So many orders at once, and then a pause, so that customers do not notice. */
  nightOrders: 20,
  nightPauseMs: 1_000,
  /** The product's clock: what was compared is compared again for so long, as not all of it was known by then. */
  nightOverlapHours: 48,
  /** Two clocks that differ by more than this are told of: a card is encrypted under one, and looked at under the other. */
  clockMs: 30_000,
  /** After so long without it a wrong clock or setting counts as put right: what comes and goes is one task. */
  calmMs: 300_000,
  /** So many services at a turn have their use looked at; 0: none. */
  usageLooks: 100,
  /** What is on offer is read this often at most; what is bought is looked up each time. */
  offerKeptMs: 1_000,
  /** What stands on the portal for all to read is read this often at most. */
  noticesKeptMs: 15_000,
  /** The desk's health page is read from the database at most this often. */
  healthKeptMs: 5_000,
  /** How outside services answered is in the database after this long: once a minute and process. */
  providerMinutesMs: 60_000,
  /** Between two mails to the operator, unless a new task is urgent. */
  operatorMailMs: 3_600_000,
}
export type Thresholds = typeof thresholds
