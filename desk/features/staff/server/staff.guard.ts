import type { EndpointBody, Endpoint, EndpointOutput, EndpointParams, EndpointQuery } from '#kit/contract/endpoint.ts'
import type { Actor } from '#kit/server/actor.ts'
import { realNow } from '#kit/server/clock.ts'
import type { Limit } from '#kit/server/limits.ts'
import { forbidden, HttpError } from '#kit/server/http-error.ts'
import { type RawRequest, route, type Route } from '#kit/server/route.ts'
import { isInGroup, type StaffGroup, staffMessages } from '../staff.contract.ts'
import type { SignedInStaff } from './sessions.store.ts'
import type { DeskRequestContext } from './desk-request-context.ts'

/** Who may call an endpoint: anyone (for signing in), all signed-in staff, or staff who are in one of these groups. */
export type RequiredAccess = 'anyone' | 'staff' | readonly StaffGroup[]

type Options<E extends Endpoint, W extends RequiredAccess> = {
  who: W
  /** Returns the request body's schema if it differs by market; replaces the endpoint's own schema. */
  body?: () => E['body']
  /** Requires that the caller has used their passkey within the last five minutes. */
  stepUp?: true
  limits?: (raw: RawRequest) => Limit[]
  /** Also applies the rate limits to requests for pages that are rendered with this endpoint's data. */
  countsPages?: true
}

type Call<E extends Endpoint, W extends RequiredAccess> = {
  visit: DeskRequestContext
  staff: W extends 'anyone' ? SignedInStaff | null : SignedInStaff
  params: EndpointParams<E>
  query: EndpointQuery<E>
  body: EndpointBody<E>
  requestId: string | null
  /** Identifies one submission, so that a repeated request does not create anything twice. */
  idempotencyKey: string | null
}

export type DeskRoute = Route & { who: RequiredAccess; stepUp: boolean }

type ResponseWithSession<E extends Endpoint> = {
  status: 200
  body: EndpointOutput<E>
  cookies: Pick<DeskRequestContext, 'session' | 'device'>
}

/** Creates an endpoint's route. Access is checked first, before the path parameters and the body are read. */
export function deskRoute<const E extends Endpoint, const W extends RequiredAccess>(
  endpoint: E,
  { who, stepUp, body, limits, countsPages }: Options<E, W>,
  handler: (call: Call<E, W>) => Promise<EndpointOutput<E> | ResponseWithSession<E>>,
): DeskRoute {
  const inner = route(
    endpoint,
    { access: 'anyone', ...(body && { body }), ...(limits && { limits }), ...(countsPages && { countsPages }) },
    (call) =>
      // `requireAccess` has already checked the caller, so this cast is safe.
      handler({
        ...call,
        visit: call.visit as DeskRequestContext,
        staff: (call.visit as DeskRequestContext).staff as Call<E, W>['staff'],
      }),
  )
  return {
    endpoint,
    who,
    stepUp: stepUp === true,
    async answer(db, raw) {
      requireAccess((raw.visit as DeskRequestContext).staff, who, stepUp)
      return inner.answer(db, raw)
    },
  }
}

const stepUpMinutes = 5

function requireAccess(staff: SignedInStaff | null, who: RequiredAccess, stepUp = false): void {
  if (who === 'anyone') return
  if (!staff) throw new HttpError(401, { code: 'Please sign in.' })
  if (who !== 'staff' && !who.some((group) => isInGroup(staff, group))) throw forbidden(staffMessages.notYours)
  const msSincePasskeyUse = realNow().epochMilliseconds - staff.shownAt.getTime()
  if (stepUp && msSincePasskeyUse > stepUpMinutes * 60_000)
    throw new HttpError(403, { code: staffMessages.stepUp, step_up: true })
}

export const toStaffActor = ({ id, name }: SignedInStaff, reason: string | null = null): Actor => ({
  by: 'staff',
  id,
  name,
  reason,
})
