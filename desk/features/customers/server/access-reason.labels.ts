import { type AccessReason, accessReasonLabels } from '../customers.contract.ts'

export function accessReasonLabel(reason: string | null, detail: string | null): string {
  const name = accessReasonLabels[reason as AccessReason] as string | undefined
  if (!name) return ''
  return reason === 'ticket' && detail ? `Ticket ${detail}` : name
}
