export type ErrorReporter = {
  /**
   * Sends an error to the error-reporting service. `sent`: the service accepted the event. `refused`: the service will never accept this
   * event. `waitSeconds`: send nothing for that long.
   * @throws if the outcome is unknown or the failure is temporary. Send the event again in that case; events with the same id are counted
   * once.
   */
  send(event: ErrorEvent): Promise<'sent' | 'refused' | { waitSeconds: number }>
}

/** An error to report. It must not contain any customer data. */
export type ErrorEvent = {
  /** The event's id: 32 hexadecimal digits. */
  id: string
  at: string
  side: 'browser' | 'server'
  name: string
  message: string
  /** Stack frames as `file:line:column`, innermost first. */
  frames: string[]
  release: string | null
  /** A key that is identical for every occurrence of the same error. If `null`, the service groups errors itself. */
  fingerprint: string | null
  tags: Record<string, string>
}
