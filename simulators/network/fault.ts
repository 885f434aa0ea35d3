export class NetworkFault extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, reason: string) {
    super(reason)
    this.name = 'Fault'
    this.status = status
    this.code = code
  }
}

/**
 * Creates an error body as TM Forum defines it: `code` is for programs, `reason` for people, and `status` is the HTTP status as a string.
 */
export function faultBody(status: number, code: string, reason: string) {
  return { code, reason, message: reason, status: String(status) }
}
