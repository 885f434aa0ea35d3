import { formatNational } from '#kit/contract/phone.ts'
import { together } from '#kit/contract/together.ts'
import type { Written } from '#features/messages/server/written.store.ts'
import type { SentMessage } from '../messages.contract.ts'
import { otherText, textWords } from './text-words.ts'

function stateOf({ sent_at: sent, refused_at: refused, dropped_at: dropped }: Written): SentMessage['state'] {
  if (sent) return 'sent'
  if (refused) return 'refused'
  return dropped ? 'not_needed' : 'waiting'
}

export const presentMessage = (message: Written): SentMessage => {
  const { id, created_at: at, channel, recipient, subject, kind } = message
  const isText = channel === 'sms'
  return {
    id,
    at: at.toISOString(),
    by: isText ? 'text' : 'email',
    to: isText ? formatNational(recipient) : recipient,
    about: isText ? (textWords[kind ?? ''] ?? otherText) : together(subject),
    state: stateOf(message),
  }
}
