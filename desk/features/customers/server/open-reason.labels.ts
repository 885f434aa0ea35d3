import { type OpenReason, openReasonLabels } from '../customers.contract.ts'

export function openReasonLabel(reason: string | null, detail: string | null): string {
  const name = openReasonLabels[reason as OpenReason] as string | undefined
  if (!name) return ''
  return reason === 'ticket' && detail ? `Ticket ${detail}` : name
}
