import { centsToDecimal } from '#kit/contract/money.ts'
import { parseStatedFacts, type StatedFacts } from '#features/messages/server/stated-facts.store.ts'
import { toIsoString, type RowOf } from './export.present.ts'
import type * as kept from './export.store.ts'

export const presentSession = (session: RowOf<typeof kept.exportSessions>) => ({
  begun: session.created_at.toISOString(),
  last_seen: session.last_seen_at.toISOString(),
  ends: session.expires_at.toISOString(),
  browser: session.browser,
  system: session.system,
})

export const presentMessage = (message: RowOf<typeof kept.exportMessages>) => ({
  channel: message.channel,
  recipient: message.recipient,
  subject: message.subject,
  attachment: message.attachment,
  service: message.service_id,
  kind: message.kind,
  created: message.created_at.toISOString(),
  sent: toIsoString(message.sent_at),
  refused: toIsoString(message.refused_at),
  dropped: toIsoString(message.dropped_at),
  stated: presentStatedFacts(parseStatedFacts(message.stated)),
})

function presentStatedFacts(stated: StatedFacts | null) {
  if (!stated) return null
  const commonFields = { written: stated.at, msisdn: stated.msisdn, plan: stated.plan, plan_ends: stated.ends_at }
  switch (stated.of) {
    case 'charge':
      return {
        ...commonFields,
        amount: centsToDecimal(stated.cents),
        tax: centsToDecimal(stated.gst_cents),
        due: stated.charge_at,
        card: stated.card && { card_type: stated.card.card_type, last_four: stated.card.last_four },
        failure: stated.trouble,
      }
    case 'card_problem':
      return {
        ...commonFields,
        due: stated.charge_at,
        card: stated.card && { card_type: stated.card.card_type, last_four: stated.card.last_four },
      }
    case 'plan_end':
      return {
        ...commonFields,
        number_kept_days: stated.kept_days,
        renewal_plan: stated.renewal?.title ?? null,
        renewal_amount: stated.renewal && centsToDecimal(stated.renewal.cents),
      }
    case 'next_plan':
      return { ...commonFields, starts: stated.starts_on, last_day: stated.last_day }
    case 'number_release':
      return { ...commonFields, number_kept_days: stated.kept_days }
  }
}

export const presentAddressChange = (change: RowOf<typeof kept.exportAddressChanges>) => ({
  new_email: change.new_email,
  state: change.state,
  pin_sent_to: change.sent_to,
  created: change.created_at.toISOString(),
  ended: toIsoString(change.ended_at),
})

export const presentPinFailures = ({ day, wrong }: RowOf<typeof kept.exportPinFailures>) => ({ day, wrong })

export const presentPhoneChange = (change: RowOf<typeof kept.exportPhoneChanges>) => ({
  msisdn: change.msisdn,
  asked: change.created_at.toISOString(),
})

export const presentErasureRequest = (request: RowOf<typeof kept.exportErasureRequests>) => ({
  state: request.state,
  asked: request.asked_at.toISOString(),
  due: toIsoString(request.due_at),
  put_off: toIsoString(request.put_off_at),
  ended: toIsoString(request.ended_at),
})

export const presentMailStop = ({ stopped_at: at }: RowOf<typeof kept.exportMailStops>) => ({
  stopped: at.toISOString(),
})

export const presentAuditEvent = ({ at, event, actor, details }: RowOf<typeof kept.exportAuditEvents>) => ({
  at: at.toISOString(),
  event,
  actor: actor ?? 'customer',
  details,
})
