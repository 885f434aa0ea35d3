import { normaliseEmail } from '#kit/contract/email.ts'
import type { Limit } from '#kit/server/limits.ts'
import { badRequest, throwIfInvalid } from '#kit/server/http-error.ts'
import { parseRequestPart } from '#kit/server/parse-request-part.ts'
import { type RawRequest, type Route, route } from '#kit/server/route.ts'
import { toCustomerActor } from '#kit/server/request-context.ts'
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
import { readCurrentEmailChange, validateNewEmail, resendPin, startEmailChange } from './change-email.ts'
import { enterPin } from './enter-pin.ts'
import { confirmEmailChange, resendLink } from './new-email.ts'

// These limits stop clients that use many accounts or guess tokens. Each operation applies its own limits per account.
const requestLimits = ({ visit }: RawRequest): Limit[] => [
  { key: `change-email:address:${visit.clientIp}`, times: 3_000, seconds: 900 },
  { key: `change-email:session:${visit.session.token}`, times: 60, seconds: 900 },
]

export const changeEmailRoutes = (deps: ChangeEmailDeps): Route[] => [
  route(readChangeEmail, { access: 'signed-in' }, ({ visit }) => readCurrentEmailChange(deps, visit)),
  route(updateEmail, { access: 'signed-in', limits: requestLimits }, async ({ visit, body }) => {
    // A request body with a PIN is treated as the second step, whatever other fields it has.
    if (body.otp) {
      const { errors, value } = parseRequestPart(pinSchema, body)
      throwIfInvalid(errors)
      const newEmail = normaliseEmail(body.new_email) ?? body.new_email
      return enterPin(deps, visit, value.otp, newEmail || null)
    }
    if (!body.new_email && (await readCurrentEmailChange(deps, visit)).state === 'REQUESTED')
      throw badRequest({ otp: [changeEmailMessages.otp] })
    const { errors, right, value } = parseRequestPart(newEmailSchema, body)
    if (Object.keys(errors).length > 0)
      throw badRequest({ ...(await validateNewEmail(deps, toCustomerActor(visit), right)), ...errors })
    return startEmailChange(deps, visit, value)
  }),
  route(resendPinCall, { access: 'signed-in', limits: requestLimits }, ({ visit }) => resendPin(deps, visit)),
  route(resendChangeEmail, { access: 'signed-in', limits: requestLimits }, ({ visit }) => resendLink(deps, visit)),
  route(confirmChangeEmail, { access: 'signed-in', limits: requestLimits }, ({ visit, body }) =>
    confirmEmailChange(deps, visit, body.token),
  ),
]
