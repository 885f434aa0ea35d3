import { openDatabase } from '#kit/server/db.ts'
import type { Finding } from '#quality/support/findings.ts'
import { auditWithTasks } from './auditor.ts'
import type { AuditRecords } from './audit-records.ts'
import { describeOrderHistory } from './order-history.ts'
import type { RunRecords } from './simulated-customer.ts'
import type { FaultTestWorld } from './fault-world.ts'

export type AuditResult = {
  orders: Map<string, number>
  findings: Finding[]
  needless: string[]
  histories: { order_code: string; lines: string[] }[]
  tasks: { kind: string; count: number; reason: string }[]
}

const maxOrderHistories = 5

/**
 * Compares the ledgers of Fantail, the gateway, the network, the relay and the carrier. Call this only once the ledgers have stopped
 * changing. If the database is embedded, Fantail must have stopped.
 */
export async function auditRun(
  world: FaultTestWorld,
  { promised }: RunRecords,
  warrants: readonly RegExp[],
): Promise<AuditResult> {
  const database = await openDatabase(world.database ? { url: world.database.direct() } : { folder: world.folder })
  try {
    const { db } = database
    const books: AuditRecords = {
      db,
      gateway: world.gateway.ledger(),
      network: world.network.ledger().map((line) => ({ ...line, external_id: line.external_id ?? '' })),
      mails: world.mail
        .ledger()
        .flatMap(({ to, message_id: id, subject }) =>
          to.map((each) => ({ to: each, message_id: id ?? '', subject: subject ?? '' })),
        ),
      texts: world.texts.ledger().map(({ to, external_id: id, text }) => ({ to, id: id ?? '', text })),
      promised,
    }
    const { findings, needless } = await auditWithTasks(books, warrants)
    const taskOrderCodes = needless.flatMap((task) => /FT[A-Z0-9]{10}/.exec(task)?.[0] ?? [])
    const codes = [...new Set([...findings.flatMap(({ order_code: code }) => code ?? []), ...taskOrderCodes])]
    const histories = []
    for (const code of codes.slice(0, maxOrderHistories))
      histories.push({ order_code: code, lines: await describeOrderHistory(books, code) })
    return { orders: await countOutcomes(books), findings, needless, histories, tasks: await countTasks(books) }
  } finally {
    await database.close()
  }
}

async function countOutcomes({ db }: AuditRecords): Promise<Map<string, number>> {
  const orders = await db.selectFrom('orders').select(['kind', 'state', 'auto_renewal']).execute()
  const counts = new Map<string, number>()
  for (const { kind, state, auto_renewal: isAuto } of orders) {
    const name = `${isAuto ? 'auto-renewal' : kind} ${state}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

async function countTasks({ db }: AuditRecords): Promise<AuditResult['tasks']> {
  const tasks = await db.selectFrom('operator_tasks').select(['kind', 'reason']).where('done_at', 'is', null).execute()
  return [...Map.groupBy(tasks, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    count: of.length,
    reason: of[0]?.reason ?? '',
  }))
}
