import * as v from 'valibot'
import type { Limit } from '#kit/server/limits.ts'
import { invalid } from '#kit/server/refusal.ts'
import { fieldErrors, type RawCall, type Route, route } from '#kit/server/route.ts'
import {
  changeEmailMessages,
  confirmChangeEmail,
  newEmailSchema,
  pinSchema,
  readChangeEmail,
  resendChangeEmail,
  resendPin as resendPinCall,
  updateEmail,
} from '../change-email.contract.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { currentChange, resendPin, startChange } from './change-email.ts'
import { enterPin } from './enter-pin.ts'
import { confirmChange, resendLink } from './new-email.ts'

// The account's own counts are the use cases'; these hold off a caller who has many accounts, or a token to guess.
const limits = ({ visit }: RawCall): Limit[] => [
  { key: `change-email:address:${visit.clientIp}`, times: 3_000, seconds: 900 },
  { key: `change-email:session:${visit.session.token}`, times: 60, seconds: 900 },
]

export const changeEmailRoutes = (deps: ChangeEmailDeps): Route[] => [
  route(readChangeEmail, { access: 'signed-in' }, ({ visit }) => currentChange(deps, visit)),
  route(updateEmail, { access: 'signed-in', limits }, async ({ visit, body }) => {
    // A PIN makes it the second step, whatever stands beside it.
    if (body.otp) return enterPin(deps, visit, checked(pinSchema, body).otp, body.new_email.toLowerCase() || null)
    if (!body.new_email && (await currentChange(deps, visit)).state === 'REQUESTED')
      throw invalid({ otp: [changeEmailMessages.otp] })
    return startChange(deps, visit, checked(newEmailSchema, body))
  }),
  route(resendPinCall, { access: 'signed-in', limits }, ({ visit }) => resendPin(deps, visit)),
  route(resendChangeEmail, { access: 'signed-in', limits }, ({ visit }) => resendLink(deps, visit)),
  route(confirmChangeEmail, { access: 'signed-in', limits }, ({ visit, body }) =>
    confirmChange(deps, visit, body.token),
  ),
]

/** What a step needs of the body that both steps share. */
function checked<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, body)
  if (!result.success) throw invalid(fieldErrors(result.issues))
  return result.output
}
