import { unauthorised } from '#kit/server/http-error.ts'
import { type Route, route } from '#kit/server/route.ts'
import { type CustomerActor, toCustomerActor } from '#kit/server/request-context.ts'
import type { User } from '#features/auth/auth.contract.ts'
import { presentAccount } from '#features/auth/server/account.present.ts'
import { verifyMessages } from '#features/auth/verify.contract.ts'
import {
  cancelPhoneChange,
  confirmPhone,
  resendPhoneConfirmation,
  type SavedUser,
  updateDetails,
} from '../contact-details.contract.ts'
import {
  cancelPendingPhone,
  confirmContactPhone,
  type ContactDetailsDeps,
  validateDetails,
  resendPhoneConfirmationMail,
  saveDetails,
} from './contact-details.ts'

export const accountRoutes = (deps: ContactDetailsDeps): Route[] => [
  route(
    updateDetails,
    { access: 'verified', alsoWrong: ({ visit, body }) => validateDetails(deps, toCustomerActor(visit), body) },
    async ({ visit, body }) => {
      const actor = toCustomerActor(visit)
      const { isPhoneRequested } = await saveDetails(deps, actor, body)
      return { user: presentSavedUser(await presentUser(deps, actor), isPhoneRequested) }
    },
  ),
  route(
    confirmPhone,
    {
      access: 'verified',
      limits: ({ visit }) => [{ key: `confirm-phone:${visit.user?.id ?? visit.clientIp}`, times: 60, seconds: 900 }],
    },
    async ({ visit, body }) => {
      const actor = toCustomerActor(visit)
      await confirmContactPhone(deps, actor, body.token)
      return { user: await presentUser(deps, actor) }
    },
  ),
  route(cancelPhoneChange, { access: 'verified' }, async ({ visit }) => {
    const actor = toCustomerActor(visit)
    await cancelPendingPhone(deps, actor)
    return { user: await presentUser(deps, actor) }
  }),
  route(
    resendPhoneConfirmation,
    {
      access: 'verified',
      limits: ({ visit }) =>
        visit.user ? [{ key: `phone-link-again:${visit.user.id}`, times: 5, seconds: 3_600 }] : [],
    },
    async ({ visit }) => {
      await resendPhoneConfirmationMail(deps, toCustomerActor(visit))
      return { message: verifyMessages.resent }
    },
  ),
]

const presentSavedUser = ({ email_verification: pending, ...user }: User, isPhoneRequested: boolean): SavedUser =>
  isPhoneRequested && pending ? { ...user, email_verification: pending } : user

async function presentUser(deps: ContactDetailsDeps, { userId }: CustomerActor): Promise<User> {
  const { user } = await presentAccount(deps, userId)
  if (!user) throw unauthorised()
  return user
}
