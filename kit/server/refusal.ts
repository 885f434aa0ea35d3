import { type ErrorEntry, type FieldErrors, formMessages } from '../contract/errors.ts'
import type { AuditEvent } from './audit.ts'

/** An answer of 4xx, or 503 where there is no room, thrown from anywhere below a handler and turned into HTTP in one place. */
export class Refusal extends Error {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  /** What the audit trail calls it, where it is told of such a refusal. */
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

/** 400 with the whole map of field errors. */
export const invalid = (errors: FieldErrors): Refusal => new Refusal(400, errors)

/** The map of all that these checks refuse with 400, asked one after another; any other refusal of theirs stands alone. */
export async function faultsIn(...checks: (() => unknown)[]): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  for (const check of checks) {
    try {
      await check()
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.status !== 400) throw failure
      for (const [field, entries] of Object.entries(failure.body as FieldErrors))
        (errors[field] ??= []).push(...entries)
    }
  }
  return errors
}

/** @throws 400 when the map says anything */
export function refuseAny(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** 400 with one sentence for the whole form. */
export const invalidForm = (sentence: string): Refusal => new Refusal(400, { __all__: [sentence] })
export const unauthorised = (): Refusal => new Refusal(401, { code: 'Please log in to continue.' })
export const forbidden = (code: string): Refusal => new Refusal(403, { code })
/**
 * Refuses a call that another site may have sent in a customer's name. The answer carries the session's CSRF token: a page of ours whose
 * token is stale repeats its call with it, and a page of another site cannot read it.
 */
export const notFromHere = (code: string, csrfToken: string): Refusal =>
  new Refusal(403, { code }, { 'x-csrftoken': csrfToken }, 'csrf_refused')
/** Someone else's thing and a thing that does not exist answer the same. */
export const notFound = (): Refusal => new Refusal(404, { code: 'Not found.' })
export const conflict = (sentence: string): Refusal => new Refusal(409, { __all__: [sentence] })
export const misdirected = (): Refusal =>
  new Refusal(421, {
    code:
      'This demo does not answer to that name. ' +
      'Open it as localhost, or start it with PUBLIC_URL set to the address that you open it at.',
  })
/** 429. `hints`: what the visitor can do meanwhile, shown after the usual sentence. */
export const tooMany = (retryAfterSeconds: number, hints: ErrorEntry[] = []): Refusal =>
  new Refusal(
    429,
    { code: formMessages.tooMany, ...(hints.length > 0 && { hints }) },
    { 'retry-after': String(retryAfterSeconds) },
    'too_many_requests',
  )
/** More is asked than can be done now, and nothing was begun: in a few seconds there is room again, as a rule. */
export const busy = (): Refusal => new Refusal(503, { code: formMessages.server }, { 'retry-after': '5' })
