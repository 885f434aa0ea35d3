import type { Trx } from '#kit/server/db.ts'
import {
  callSupportText,
  buildGreeting,
  type MessageDeps,
  queueMail,
  queueSms,
} from '#features/messages/server/messages.ts'
import { callerPinLifetimeMinutes } from '../caller-verification.contract.ts'

type Pin = { id: string; pin: string; userId: string }

// Both messages warn customers never to read the PIN out to anyone who phones them, because a fraudster could ask for it.

export const sendCallerPinText = (trx: Trx, deps: MessageDeps, to: string, { id, pin, userId }: Pin): Promise<void> =>
  queueSms(trx, deps, {
    eventKey: `caller-pin:${id}`,
    to,
    userId,
    text:
      `${deps.brandName}: your PIN is ${pin}, valid for ${callerPinLifetimeMinutes} minutes. ` +
      'Read it out only if you called us. Did someone call you? Hang up.',
  })

export const sendCallerPinMail = (
  trx: Trx,
  deps: MessageDeps,
  owner: { id: string; email: string; first_name: string },
  { id, pin }: Pin,
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: `caller-pin:${id}`,
    to: owner,
    subject: 'Your PIN for your call with us',
    heading: 'Your PIN for your call with us',
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, you’re on the phone with us, and we’d like to check that it’s you. ` +
        `Please read this PIN out to us. It’s valid for ${callerPinLifetimeMinutes} minutes.`,
      `If you didn’t call us, don’t read it out to anyone, and ${callSupportText(deps)}.`,
    ],
    rows: [['PIN', pin]],
    button: null,
  })
