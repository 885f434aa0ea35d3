import type { MessageTopic } from '../messages.contract.ts'

type MessageType = { what: string; of: MessageTopic }
const toMessageTypes = (of: MessageTopic, labels: Record<string, string>): Record<string, MessageType> =>
  Object.fromEntries(Object.entries(labels).map(([kind, what]) => [kind, { what, of }]))

const messageTypes: Readonly<Record<string, MessageType>> = {
  ...toMessageTypes('purchases', {
    activation: 'Activation',
    renewal: 'Renewal',
    addon: 'Add-on',
    refund: 'Refund',
    'taken-back': 'Order cancelled',
    'card-saved': 'Card saved',
    'card-removed': 'Card removed',
  }),
  ...toMessageTypes('transfers', {
    port: 'Transfer completed or failed',
    'port-text': 'Transfer completed or failed',
    'port-ask': 'Transfer needs correcting',
    'port-ask-text': 'Transfer needs correcting',
    'port-reply': 'Transfer needs confirming',
    'port-reply-text': 'Transfer needs confirming',
  }),
  ...toMessageTypes('plans', {
    'auto-renewal': 'Auto-renewal',
    'auto-renewal-text': 'Auto-renewal',
    'plan-life': 'Plan ending',
    'plan-life-text': 'Plan ending',
    'usage-alert': 'Data usage',
    'next-plan-cancelled': 'Next plan cancelled',
    'next-plan-kept': 'Next plan kept',
    'yearly-summary': 'Yearly summary',
  }),
  ...toMessageTypes('account', {
    verify: 'Confirm email address',
    'password-reset': 'Link to set a new password',
    'reset-pin': 'PIN to set a new password',
    'password-changed': 'Password changed',
    'accounts-joined': 'Accounts merged',
    'phone-link': 'Confirm contact phone',
    'phone-changed': 'Contact phone changed',
    'phone-replaced': 'Contact phone changed',
    'change-email-pin': 'PIN to change e-mail address',
    'change-email-link': 'Confirm new e-mail address',
    'change-email-notice': 'E-mail change requested',
    'change-email-canceled': 'E-mail change stopped',
    'change-email-done': 'E-mail address changed',
    'caller-pin': 'PIN to verify a caller',
    'erasure-asked': 'Erasure requested',
    'erasure-asked-text': 'Erasure requested',
    'erasure-called-off': 'Erasure cancelled',
    'erasure-put-off': 'Erasure postponed',
    'staff-invitation': 'Invitation to the desk',
    'staff-notice': 'Staff change',
    'staff-alert': 'Access alert',
  }),
}

export const isKnownMessageType = (kind: string): boolean => Object.hasOwn(messageTypes, kind)

export const messageTypeLabel = (kind: string | null): string =>
  (isKnownMessageType(kind ?? '') && messageTypes[kind ?? '']?.what) || 'Other message'

export const listTopicMessageTypes = (subject: MessageTopic): string[] =>
  Object.entries(messageTypes).flatMap(([kind, { of }]) => (of === subject ? [kind] : []))
