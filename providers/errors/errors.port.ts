/** Sends errors to an error-reporting service. */
export type ErrorReporter = {
  /**
   * `sent`: the service has accepted the event. `refused`: the service will never accept this event. `waitSeconds`: send nothing for that
   * time.
   * @throws if the outcome is unknown or the failure is temporary. Send the event again then: an event with the same id counts once.
   */
  send(event: ErrorEvent): Promise<'sent' | 'refused' | { waitSeconds: number }>
}

/** One error. It must not contain any customer data. */
export type ErrorEvent = {
  /** 32 hexadecimal digits. */
  id: string
  /** ISO 8601. */
  at: string
  side: 'browser' | 'server'
  /** Such as `TypeError`. */
  name: string
  message: string
  /** `file:line:column`, innermost first. */
  frames: string[]
  /** The build in which the error happened. `null` if not known. */
  release: string | null
  /** Identical for every occurrence of the same error. `null` lets the service group errors itself. */
  fingerprint: string | null
  /** Short values to search by, such as the page's pattern and the request's id. */
  tags: Record<string, string>
}
