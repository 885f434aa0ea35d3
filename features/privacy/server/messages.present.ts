import { formatNational } from '#kit/contract/phone.ts'
import { insertNonBreakingSpaces } from '#kit/contract/no-break-spaces.ts'
import type { SentMessageRow } from '#features/messages/server/sent-messages.store.ts'
import type { SentMessage } from '../messages.contract.ts'
import { defaultSmsLabel, smsLabels } from './sms.labels.ts'

function getMessageState({
  sent_at: sent,
  refused_at: refused,
  dropped_at: dropped,
}: SentMessageRow): SentMessage['state'] {
  if (sent) return 'sent'
  if (refused) return 'refused'
  return dropped ? 'not_needed' : 'waiting'
}

export const presentMessage = (message: SentMessageRow): SentMessage => {
  const { id, created_at: at, channel, recipient, subject, kind } = message
  const isSms = channel === 'sms'
  return {
    id,
    at: at.toISOString(),
    by: isSms ? 'text' : 'email',
    to: isSms ? formatNational(recipient) : recipient,
    about: isSms ? (smsLabels[kind ?? ''] ?? defaultSmsLabel) : insertNonBreakingSpaces(subject),
    state: getMessageState(message),
  }
}
