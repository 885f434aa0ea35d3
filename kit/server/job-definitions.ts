/** A durable step: its queue's name and what to do with one job. Handlers are idempotent: a job may run twice. */
export type JobDefinition = {
  name: string
  run(data: never): Promise<void>
  together?: Together
  /**
   * What it is about has a row with a `retry_at`, by which it is found should the job be lost: it need not go through the queue's tables.
   * This takes over some of those whose time has come, and answers whether there may be more.
   */
  fetch?: () => Promise<boolean>
}

/**
 * Of a queue to which thousands come at once: a worker takes `most` jobs in one statement, has `atOnce` of them done beside each other,
 * and says in another how they ended.
 */
export type Together = { most: number; atOnce: number }

/** A try of a job that failed. */
export type FailedJob = {
  queue: string
  id: string
  /** How often it has been tried, this time included. */
  tries: number
  /** It is not tried again. */
  isLast: boolean
  data: object
}
