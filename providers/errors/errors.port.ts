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
  at: string
  side: 'browser' | 'server'
  name: string
  message: string
  /** `file:line:column`, innermost first. */
  frames: string[]
  release: string | null
  /** Identical for every occurrence of the same error. `null` lets the service group errors itself. */
  fingerprint: string | null
  tags: Record<string, string>
}
