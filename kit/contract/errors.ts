type ErrorAction = { url: string; text: string }

export type ErrorEntry = string | { message: string; actions: ErrorAction[] }

/** The body of a 400 response: errors keyed by field name. The key `__all__` holds errors that apply to the whole form. */
export type FieldErrors = Record<string, ErrorEntry[]>

/** Messages for responses that carry no field errors (specification, section 8). */
export const formMessages = {
  tooMany: 'Too many requests. Please try again shortly.',
  server: 'Something went wrong. Please try refreshing the page.',
  noAnswer: 'Sorry, there was an unexpected error. Please refresh and try again.',
  required: 'This field is required.',
  unreadable: 'Please check this and try again.',
} as const

/** Thrown by an API call that did not get a 2xx response. `status` is 0 if no response arrived. */
export class ApiError extends Error {
  /**
   * Makes `instanceof` compare by name. The bundle that renders pages on the server has its own copy of this class, while the in-process
   * API throws the server's class.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ApiError' && 'status' in value
  }

  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    super(`The API responded with status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }
}

/** Converts a failed form submission into the errors to show on the form (specification, section 8, "Form submission"). */
export function toFormErrors(failure: unknown): FieldErrors {
  if (!(failure instanceof ApiError) || failure.status === 0) return { __all__: [formMessages.noAnswer] }
  if (failure.status === 400 && isFieldErrors(failure.body)) return failure.body
  if (failure.status === 429) return { __all__: [formMessages.tooMany, ...readHints(failure.body)] }
  return { __all__: [formMessages.server] }
}

function isFieldErrors(body: unknown): body is FieldErrors {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.values(body).every(Array.isArray)
}

function readHints(body: unknown): ErrorEntry[] {
  const hints = typeof body === 'object' && body !== null && 'hints' in body ? body.hints : null
  return Array.isArray(hints) ? (hints as ErrorEntry[]) : []
}

export function getErrorEntryMessage(entry: ErrorEntry): string {
  return typeof entry === 'string' ? entry : entry.message
}
