import { type Look, lookNames } from '../customers.contract.ts'

/** Why somebody looked: the reason that they gave, with the number of a ticket. */
export function lookWords(reason: string | null, detail: string | null): string {
  const name = lookNames[reason as Look] as string | undefined
  if (!name) return ''
  return reason === 'ticket' && detail ? `Ticket ${detail}` : name
}
