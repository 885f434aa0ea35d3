import type { DemoMessage } from '#demo/mailbox.ts'

export const formatMessages = (messages: Iterable<DemoMessage>, zone: string): string =>
  [...messages]
    .toSorted((a, b) => Date.parse(a.sent_at) - Date.parse(b.sent_at))
    .map((message) => formatMessage(message, zone))
    .join('\n')

export function formatMessage({ sent_at: at, channel, to, subject, text }: DemoMessage, zone: string): string {
  const when = Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })
  return `${when.replace('T', ' ')}  ${channel === 'sms' ? 'text' : 'mail'} to ${to}: ${channel === 'sms' ? text : subject}`
}
