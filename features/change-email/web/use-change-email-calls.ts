import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import {
  type ChangeEmail,
  changeEmailMessages,
  resendChangeEmail,
  resendPin,
  updateEmail,
} from '../change-email.contract.ts'
import { changeEmailQuery } from './change-email.queries.ts'

export type ChangeEmailCalls = {
  /** @throws ApiError for a form to show */
  update: (body: { new_email: string; otp?: string; password?: string }) => Promise<void>
  sendPin: () => Promise<string>
  sendLink: () => Promise<string>
}

const changedElsewhereMessage = 'This change was updated somewhere else. Please check what it needs now.'

/** The requests of the change. Each response is the current state, which the page then shows (spec 4). */
export function useChangeEmailCalls(onResponse: () => void): ChangeEmailCalls {
  const api = useApi()
  const client = useQueryClient()
  const query = changeEmailQuery(api)

  async function sendAndStore(call: () => Promise<{ data: ChangeEmail }>): Promise<void> {
    try {
      client.setQueryData(query.queryKey, (await call()).data)
      onResponse()
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 429) await client.refetchQuery(query)
      if (!(failure instanceof ApiError && failure.status === 409)) throw failure
      // The request has changed elsewhere. The form shows an error in case the page itself does not change.
      await client.refetchQuery(query)
      throw new ApiError(400, { __all__: [changedElsewhereMessage] })
    }
  }

  return {
    async update(body) {
      await sendAndStore(() => api.call(updateEmail, { body }))
      // An expired PIN does not change the step, so the field shows the reason.
      if (body.otp && client.getQueryData(query.queryKey)?.state === 'EXPIRED')
        throw new ApiError(400, { otp: [changeEmailMessages.otpExpired] })
    },
    sendPin: () => sendAndStore(() => api.call(resendPin, {})).then(() => changeEmailMessages.pinResent),
    sendLink: () => sendAndStore(() => api.call(resendChangeEmail, {})).then(() => changeEmailMessages.emailResent),
  }
}
