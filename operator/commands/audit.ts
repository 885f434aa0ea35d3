import type { AuditTrailView } from '#app/operator/audit.routes.ts'
import { requestAndPrint, type Command, type CommandContext, exitCodes, type CommandArguments } from '../command.ts'

export const auditCommands: Command[] = [
  {
    usage: 'audit',
    options: { customer: { type: 'string' }, since: { type: 'string' }, before: { type: 'string' } },
    summary: 'show the audit trail, newest first: of a customer (by ID), or of everyone since an instant',
    run: readAudit,
  },
]

async function readAudit(context: CommandContext, { options }: CommandArguments): Promise<number> {
  if ((options['customer'] === undefined) === (options['since'] === undefined)) {
    context.printError('Give either --customer ID or --since INSTANT, such as 2026-11-23T08:00:00Z.')
    return exitCodes.usage
  }
  const query = new URLSearchParams(
    Object.entries(options).filter((option): option is [string, string] =>
      ['customer', 'since', 'before'].includes(option[0]),
    ),
  )
  return requestAndPrint(context, ['GET', `/audit?${query}`], ({ events, next }: AuditTrailView) => [
    ...(events.length === 0 ? ['No entries.'] : []),
    ...events.map(({ at, event, customer, actor, details }) =>
      [at, event, `by ${actor}`, customer ? `to ${customer}` : '', formatDetails(details)].filter(Boolean).join('  '),
    ),
    ...(next ? [`More entries: --before ${next}`] : []),
  ])
}

const formatDetails = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
