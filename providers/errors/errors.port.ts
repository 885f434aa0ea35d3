export type ErrorReporter = {
  /**
   * Sends an error to the error-reporting service.
   * `sent`: the service has accepted the event. `refused`: the service will never accept this event. `waitSeconds`: send nothing for that
   * time.
   * @throws if the outcome is unknown or the failure is temporary. Send the event again then: an event with the same id counts once.
   */
  send(event: ErrorEvent): Promise<'sent' | 'refused' | { waitSeconds: number }>
}

/** One error to report. It must not contain any customer data. */
export type ErrorEvent = {
  /** Id of the event: 32 hexadecimal digits. */
  id: string
  at: string
  side: 'browser' | 'server'
  name: string
  message: string
  /** Stack frames as `file:line:column`, innermost first. */
  frames: string[]
  release: string | null
  /** A key that is identical for every occurrence of the same error. `null` lets the service group errors itself. */
  fingerprint: string | null
  tags: Record<string, string>
}
