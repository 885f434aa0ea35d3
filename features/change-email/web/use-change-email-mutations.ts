import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import {
  type EmailChangeView,
  changeEmailMessages,
  resendChangeEmail,
  resendPin,
  updateEmail,
} from '../change-email.contract.ts'
import { changeEmailQuery } from './change-email.queries.ts'

export type ChangeEmailMutations = {
  /** Sends the new address or the PIN. @throws ApiError, which the form shows */
  update: (body: { new_email: string; otp?: string; password?: string }) => Promise<void>
  sendPin: () => Promise<string>
  sendLink: () => Promise<string>
}

const changedElsewhereMessage =
  'Your email change has moved on since you loaded this page, perhaps in another tab. Please continue from here.'

/** Returns functions that send the requests for an email change. The page then shows the state from the response (spec 4). */
export function useChangeEmailMutations(onResponse: () => void): ChangeEmailMutations {
  const api = useApi()
  const client = useQueryClient()
  const query = changeEmailQuery(api)

  async function sendAndStore(call: () => Promise<{ data: EmailChangeView }>): Promise<void> {
    try {
      client.setQueryData(query.queryKey, (await call()).data)
      onResponse()
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 429) await client.refetchQuery(query)
      if (!(failure instanceof ApiError && failure.status === 409)) throw failure
      // The email change was updated elsewhere. Show an error, because the reloaded page may look exactly the same as before.
      await client.refetchQuery(query)
      throw new ApiError(400, { __all__: [changedElsewhereMessage] })
    }
  }

  return {
    async update(body) {
      await sendAndStore(() => api.call(updateEmail, { body }))
      // With an expired PIN the page stays on the same step, so the PIN field must say that the PIN has expired.
      if (body.otp && client.getQueryData(query.queryKey)?.state === 'EXPIRED')
        throw new ApiError(400, { otp: [changeEmailMessages.otpExpired] })
    },
    sendPin: () => sendAndStore(() => api.call(resendPin, {})).then(() => changeEmailMessages.pinResent),
    sendLink: () => sendAndStore(() => api.call(resendChangeEmail, {})).then(() => changeEmailMessages.emailResent),
  }
}
