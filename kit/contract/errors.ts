type ErrorAction = { url: string; text: string }

export type ErrorEntry = string | { message: string; actions: ErrorAction[] }

/** The body of a 400: entries by field name. `__all__` belongs to the whole form. */
export type FieldErrors = Record<string, ErrorEntry[]>

/** Spec 8: messages for responses without field errors. */
export const formMessages = {
  tooMany: 'Too many requests. Please try again shortly.',
  server: 'Something went wrong. Please try refreshing the page.',
  noAnswer: 'Sorry, there was an unexpected error. Please refresh and try again.',
  required: 'This field is required.',
  unreadable: 'Please check this and try again.',
} as const

/** A call without a 2xx response. `status` is 0 when there was no response at all. */
export class ApiError extends Error {
  /** Compares by name: the rendered portal is a bundle with a copy of this class, but the API in process throws the server's class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ApiError' && 'status' in value
  }

  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    super(`API answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }
}

/** The errors that a form shows for any failure (spec 8, "Form submission"). */
export function formErrorsOf(failure: unknown): FieldErrors {
  if (!(failure instanceof ApiError) || failure.status === 0) return { __all__: [formMessages.noAnswer] }
  if (failure.status === 400 && isFieldErrors(failure.body)) return failure.body
  if (failure.status === 429) return { __all__: [formMessages.tooMany, ...hintsOf(failure.body)] }
  return { __all__: [formMessages.server] }
}

function isFieldErrors(body: unknown): body is FieldErrors {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.values(body).every(Array.isArray)
}

function hintsOf(body: unknown): ErrorEntry[] {
  const hints = typeof body === 'object' && body !== null && 'hints' in body ? body.hints : null
  return Array.isArray(hints) ? (hints as ErrorEntry[]) : []
}

export function messageOfEntry(entry: ErrorEntry): string {
  return typeof entry === 'string' ? entry : entry.message
}
