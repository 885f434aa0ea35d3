import { toIsoText, type RowOf } from './export.present.ts'
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
  sent: toIsoText(message.sent_at),
  refused: toIsoText(message.refused_at),
  dropped: toIsoText(message.dropped_at),
})

export const presentAddressChange = (change: RowOf<typeof kept.exportAddressChanges>) => ({
  new_email: change.new_email,
  state: change.state,
  pin_sent_to: change.sent_to,
  created: change.created_at.toISOString(),
  ended: toIsoText(change.ended_at),
})

export const presentPinFailures = ({ day, wrong }: RowOf<typeof kept.exportPinFailures>) => ({ day, wrong })

export const presentPhoneChange = (change: RowOf<typeof kept.exportPhoneChanges>) => ({
  msisdn: change.msisdn,
  asked: change.created_at.toISOString(),
})

export const presentErasureRequest = (request: RowOf<typeof kept.exportErasureRequests>) => ({
  state: request.state,
  asked: request.asked_at.toISOString(),
  due: toIsoText(request.due_at),
  put_off: toIsoText(request.put_off_at),
  ended: toIsoText(request.ended_at),
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
