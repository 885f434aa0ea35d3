import { storedEmail } from '#kit/contract/email.ts'
import type { Limit } from '#kit/server/limits.ts'
import { invalid, refuseAny } from '#kit/server/refusal.ts'
import { readPart } from '#kit/server/read-part.ts'
import { type RawCall, type Route, route } from '#kit/server/route.ts'
import { actorOf } from '#kit/server/visit.ts'
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
import { currentChange, newEmailFaults, resendPin, startChange } from './change-email.ts'
import { enterPin } from './enter-pin.ts'
import { confirmChange, resendLink } from './new-email.ts'

// Limits callers with many accounts or with a token to guess. The use cases count the limits per account.
const limits = ({ visit }: RawCall): Limit[] => [
  { key: `change-email:address:${visit.clientIp}`, times: 3_000, seconds: 900 },
  { key: `change-email:session:${visit.session.token}`, times: 60, seconds: 900 },
]

export const changeEmailRoutes = (deps: ChangeEmailDeps): Route[] => [
  route(readChangeEmail, { access: 'signed-in' }, ({ visit }) => currentChange(deps, visit)),
  route(updateEmail, { access: 'signed-in', limits }, async ({ visit, body }) => {
    // A PIN makes the request the second step, whatever other fields it has.
    if (body.otp) {
      const { errors, value } = readPart(pinSchema, body)
      refuseAny(errors)
      const newEmail = storedEmail(body.new_email) ?? body.new_email
      return enterPin(deps, visit, value.otp, newEmail || null)
    }
    if (!body.new_email && (await currentChange(deps, visit)).state === 'REQUESTED')
      throw invalid({ otp: [changeEmailMessages.otp] })
    const { errors, right, value } = readPart(newEmailSchema, body)
    if (Object.keys(errors).length > 0)
      throw invalid({ ...(await newEmailFaults(deps, actorOf(visit), right)), ...errors })
    return startChange(deps, visit, value)
  }),
  route(resendPinCall, { access: 'signed-in', limits }, ({ visit }) => resendPin(deps, visit)),
  route(resendChangeEmail, { access: 'signed-in', limits }, ({ visit }) => resendLink(deps, visit)),
  route(confirmChangeEmail, { access: 'signed-in', limits }, ({ visit, body }) =>
    confirmChange(deps, visit, body.token),
  ),
]
