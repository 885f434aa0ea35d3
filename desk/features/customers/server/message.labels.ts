import type { Tone } from '../customer-history.contract.ts'

const textMessageTopics: Readonly<Record<string, string>> = {
  'auto-renewal-text': 'auto-renewal',
  'plan-life-text': 'the end of a plan',
  'usage-alert': 'data usage',
  'caller-pin': 'a PIN to verify a caller',
  'reset-pin': 'a PIN to set a new password',
  'change-email-pin': 'a PIN to change the e-mail address',
  'phone-link': 'a link to confirm a contact phone',
  'phone-changed': 'a changed contact phone',
  'phone-replaced': 'a changed contact phone',
  'erasure-asked-text': 'erasing the account',
  'port-ask-text': 'correcting a number transfer',
  'port-reply-text': 'confirming a number transfer',
  'port-text': 'a number transfer',
}

const outcomeLabels: Readonly<Record<string, { says: string; detail: string; tone: Tone }>> = {
  sent: { says: 'sent', detail: '', tone: 'plain' },
  refused: { says: 'refused', detail: 'The message could not be delivered', tone: 'bad' },
  dropped: { says: 'not sent', detail: 'No longer relevant when it was due to be sent', tone: 'plain' },
  waits: { says: 'waiting', detail: 'Not sent yet', tone: 'warn' },
}

export function messageLabel(what: string, { subject, kind }: { subject: string; kind: string | null }) {
  const [channel = '', state = ''] = what.split(' ')
  const { says, detail, tone } = outcomeLabels[state] ?? { says: 'on its way', detail: '', tone: 'plain' as const }
  if (channel === 'email') return { icon: 'mail' as const, title: `Email ${says}: ${subject}`, detail, tone }
  const about = textMessageTopics[kind ?? '']
  return { icon: 'text' as const, title: `Text ${says}${about ? `: about ${about}` : ''}`, detail, tone }
}
