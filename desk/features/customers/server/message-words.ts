import type { Tone } from '../happened.contract.ts'

const texts: Readonly<Record<string, string>> = {
  'auto-renewal-text': 'auto-renewal',
  'plan-life-text': 'the end of a plan',
  'usage-alert': 'used data',
  'caller-pin': 'a PIN that a caller reads out',
  'reset-pin': 'a PIN to set a new password',
  'change-email-pin': 'a PIN for another e-mail address',
  'phone-link': 'a link to confirm a contact phone',
  'phone-changed': 'another contact phone',
  'phone-replaced': 'another contact phone',
  'erasure-asked-text': 'being erased',
  'port-ask-text': 'what the move of a number needs',
  'port-reply-text': 'a reply that the move of a number waits for',
  'port-text': 'the move of a number',
}

const outcomes: Readonly<Record<string, { says: string; detail: string; tone: Tone }>> = {
  sent: { says: 'sent', detail: '', tone: 'plain' },
  refused: { says: 'refused', detail: 'It could not be delivered', tone: 'bad' },
  dropped: { says: 'not sent', detail: 'It was no longer true when it was to leave', tone: 'plain' },
  waits: { says: 'waits', detail: 'It has not left yet', tone: 'warn' },
}

export function messageWords(what: string, { subject, kind }: { subject: string; kind: string | null }) {
  const [channel = '', state = ''] = what.split(' ')
  const { says, detail, tone } = outcomes[state] ?? { says: 'on its way', detail: '', tone: 'plain' as const }
  if (channel === 'email') return { icon: 'mail' as const, title: `Mail ${says}: ${subject}`, detail, tone }
  const about = texts[kind ?? '']
  return { icon: 'text' as const, title: `Text ${says}${about ? `: about ${about}` : ''}`, detail, tone }
}
