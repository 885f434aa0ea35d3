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
  /** Between two mails to the operator about new tasks. */
  operatorMailMs: 3_600_000,
}
export type Thresholds = typeof thresholds
