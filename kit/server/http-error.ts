import { type ErrorEntry, type FieldErrors, formMessages } from '../contract/errors.ts'
import type { AuditEvent } from './audit.ts'

export class HttpError extends Error {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  readonly event: AuditEvent | null
  constructor(status: number, body: unknown, headers: Record<string, string> = {}, event: AuditEvent | null = null) {
    super(`refused with ${status}`)
    this.name = 'Refusal'
    this.status = status
    this.body = body
    this.headers = headers
    this.event = event
  }
}

export const badRequest = (errors: FieldErrors): HttpError => new HttpError(400, errors)

/** Runs the checks in order and collects their 400 errors by field. Any other error that a check throws is rethrown immediately. */
export async function collectErrors(...checks: (() => unknown)[]): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  for (const check of checks) {
    try {
      await check()
    } catch (failure) {
      if (!(failure instanceof HttpError) || failure.status !== 400) throw failure
      for (const [field, entries] of Object.entries(failure.body as FieldErrors))
        (errors[field] ??= []).push(...entries)
    }
  }
  return errors
}

/** @throws 400 if `errors` is not empty */
export function throwIfInvalid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw badRequest(errors)
}

export const formError = (sentence: string): HttpError => new HttpError(400, { __all__: [sentence] })
export const unauthorised = (): HttpError => new HttpError(401, { code: 'Please log in to continue.' })
export const forbidden = (code: string): HttpError => new HttpError(403, { code })
/**
 * Rejects a request that a different site may have sent in the customer's name. The response carries the session's CSRF token: our own page
 * repeats its request with the new token if its token was stale, while another site's page cannot read it.
 */
export const csrfRejected = (code: string, csrfToken: string): HttpError =>
  new HttpError(403, { code }, { 'x-csrftoken': csrfToken }, 'csrf_refused')
/** The 404 error. The response is the same for another customer's resource as for one that does not exist. */
export const notFound = (): HttpError => new HttpError(404, { code: 'Not found.' })
export const conflict = (sentence: string): HttpError => new HttpError(409, { __all__: [sentence] })
export const misdirectedRequest = (): HttpError =>
  new HttpError(421, {
    code:
      'This demo can’t be opened at this address. ' +
      'Open it at localhost, or start it with PUBLIC_URL set to the address you use.',
  })
export const tooManyRequests = (retryAfterSeconds: number, hints: ErrorEntry[] = []): HttpError =>
  new HttpError(
    429,
    { code: formMessages.tooMany, ...(hints.length > 0 && { hints }) },
    { 'retry-after': String(retryAfterSeconds) },
    'too_many_requests',
  )
export const serviceUnavailable = (): HttpError =>
  new HttpError(503, { code: formMessages.server }, { 'retry-after': '5' })
