import type { TrailView } from '#app/operator/audit.routes.ts'
import { callAndShow, type Command, type CommandDesk, exits, type Given } from '../command.ts'

export const auditCommands: Command[] = [
  {
    usage: 'audit',
    options: { customer: { type: 'string' }, since: { type: 'string' }, before: { type: 'string' } },
    says: 'what was done, by whom, newest first: to a customer (their ID), or by anybody since an instant',
    run: readAudit,
  },
]

async function readAudit(desk: CommandDesk, { options }: Given): Promise<number> {
  if ((options['customer'] === undefined) === (options['since'] === undefined)) {
    desk.complain('Say either --customer ID, or --since INSTANT, such as 2026-11-23T08:00:00Z.')
    return exits.usage
  }
  const asked = new URLSearchParams(
    Object.entries(options).filter((option): option is [string, string] =>
      ['customer', 'since', 'before'].includes(option[0]),
    ),
  )
  return callAndShow(desk, ['GET', `/audit?${asked}`], ({ events, next }: TrailView) => [
    ...(events.length === 0 ? ['Nothing was done.'] : []),
    ...events.map(({ at, event, customer, actor, details }) =>
      [at, event, `by ${actor}`, customer ? `to ${customer}` : '', wordsOf(details)].filter(Boolean).join('  '),
    ),
    ...(next ? [`There is more: --before ${next}`] : []),
  ])
}

const wordsOf = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
