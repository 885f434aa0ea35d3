import { sendCallerPinMail, sendCallerPinText } from '#desk/features/caller-verification/server/caller-pin.mail.ts'
import type { MessageSample } from './render-messages.ts'

const sent = (userId: string) => ({ id: crypto.randomUUID(), pin: '042719', userId })

export const callerPinSamples: readonly MessageSample[] = [
  {
    name: 'PIN for a caller, by text message',
    by: sendCallerPinText,
    write: ({ trx, deps, user, service }) => sendCallerPinText(trx, deps, service.msisdn, sent(user.id)),
  },
  {
    name: 'PIN for a caller, by email',
    by: sendCallerPinMail,
    write: ({ trx, deps, user }) => sendCallerPinMail(trx, deps, user, sent(user.id)),
  },
]
