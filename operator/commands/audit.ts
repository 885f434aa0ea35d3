import type { TrailView } from '#app/operator/audit.routes.ts'
import { callAndShow, type Command, type CommandDesk, exits, type Given } from '../command.ts'

export const auditCommands: Command[] = [
  {
    usage: 'audit',
    options: { customer: { type: 'string' }, since: { type: 'string' }, before: { type: 'string' } },
    says: 'show the audit trail, newest first: of a customer (by ID), or of everyone since an instant',
    run: readAudit,
  },
]

async function readAudit(desk: CommandDesk, { options }: Given): Promise<number> {
  if ((options['customer'] === undefined) === (options['since'] === undefined)) {
    desk.complain('Give either --customer ID or --since INSTANT, such as 2026-11-23T08:00:00Z.')
    return exits.usage
  }
  const asked = new URLSearchParams(
    Object.entries(options).filter((option): option is [string, string] =>
      ['customer', 'since', 'before'].includes(option[0]),
    ),
  )
  return callAndShow(desk, ['GET', `/audit?${asked}`], ({ events, next }: TrailView) => [
    ...(events.length === 0 ? ['No entries.'] : []),
    ...events.map(({ at, event, customer, actor, details }) =>
      [at, event, `by ${actor}`, customer ? `to ${customer}` : '', wordsOf(details)].filter(Boolean).join('  '),
    ),
    ...(next ? [`More entries: --before ${next}`] : []),
  ])
}

const wordsOf = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
