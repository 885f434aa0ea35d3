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

export type Moves = {
  /** @throws ApiError for a form to show */
  update: (body: { new_email: string; otp?: string; password?: string }) => Promise<void>
  sendPin: () => Promise<string>
  sendLink: () => Promise<string>
}

const movedOn = 'This change has moved on meanwhile. Please check where it stands now.'

/** The calls of the change; what each answers is where it stands now, and the page shows that (spec 4). */
export function useMoves(onAnswer: () => void): Moves {
  const api = useApi()
  const client = useQueryClient()
  const query = changeEmailQuery(api)

  async function send(call: () => Promise<{ data: ChangeEmail }>): Promise<void> {
    try {
      client.setQueryData(query.queryKey, (await call()).data)
      onAnswer()
    } catch (failure) {
      // After too many wrong PINs the page says until when.
      if (failure instanceof ApiError && failure.status === 429) await client.refetchQuery(query)
      if (!(failure instanceof ApiError && failure.status === 409)) throw failure
      // It has moved on elsewhere. Where the page does not change by that, it says so.
      await client.refetchQuery(query)
      throw new ApiError(400, { __all__: [movedOn] })
    }
  }

  return {
    async update(body) {
      await send(() => api.call(updateEmail, { body }))
      // The page stays what it is: the field says what to do.
      if (body.otp && client.getQueryData(query.queryKey)?.state === 'EXPIRED')
        throw new ApiError(400, { otp: [changeEmailMessages.otpExpired] })
    },
    sendPin: () => send(() => api.call(resendPin, {})).then(() => changeEmailMessages.pinResent),
    sendLink: () => send(() => api.call(resendChangeEmail, {})).then(() => changeEmailMessages.emailResent),
  }
}
