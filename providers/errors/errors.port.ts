/** How the product tells a service that collects errors of one. */
export type ErrorReporter = {
  /**
   * `sent`: the service has it. `refused`: it will never take it as it is. `waitSeconds`: it wants to hear nothing for so long.
   * @throws whenever that is not known or may pass. Send it again then: an event of the same id counts once.
   */
  send(event: ErrorEvent): Promise<'sent' | 'refused' | { waitSeconds: number }>
}

/** One error, with nothing of any customer in it. */
export type ErrorEvent = {
  /** 32 hexadecimal digits. */
  id: string
  /** ISO 8601. */
  at: string
  side: 'browser' | 'server'
  /** `TypeError`. */
  name: string
  message: string
  /** `file:line:column`, innermost first. */
  frames: string[]
  /** The build it happened in; null: not known. */
  release: string | null
  /** What the same error has in common, however often it happens; null: the service finds out itself. */
  fingerprint: string | null
  /** To search by: short words, such as the page's pattern and the request's id. */
  tags: Record<string, string>
}
