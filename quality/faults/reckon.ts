import { openDatabase } from '#kit/server/db.ts'
import type { Finding } from '#quality/support/findings.ts'
import { auditWithTasks } from './auditor.ts'
import type { Books } from './books.ts'
import { historyOf } from './history.ts'
import type { Diary } from './life.ts'
import type { LivedWorld } from './world.ts'

export type Reckoning = {
  orders: Map<string, number>
  findings: Finding[]
  needless: string[]
  histories: { order_code: string; lines: string[] }[]
  tasks: { kind: string; count: number; reason: string }[]
}

const mostHistories = 5

/** Compares the books once nothing changes. The product of an embedded database must have ended. */
export async function reckon(world: LivedWorld, { promised }: Diary, warrants: readonly RegExp[]): Promise<Reckoning> {
  const opened = await openDatabase(world.database ? { url: world.database.direct() } : { folder: world.folder })
  try {
    const { db } = opened
    const books: Books = {
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
    const ofTasks = needless.flatMap((task) => /FT[A-Z0-9]{10}/.exec(task)?.[0] ?? [])
    const codes = [...new Set([...findings.flatMap(({ order_code: code }) => code ?? []), ...ofTasks])]
    const histories = []
    for (const code of codes.slice(0, mostHistories))
      histories.push({ order_code: code, lines: await historyOf(books, code) })
    return { orders: await outcomesOf(books), findings, needless, histories, tasks: await tasksOf(books) }
  } finally {
    await opened.close()
  }
}

async function outcomesOf({ db }: Books): Promise<Map<string, number>> {
  const orders = await db.selectFrom('orders').select(['kind', 'state', 'auto_renewal']).execute()
  const counts = new Map<string, number>()
  for (const { kind, state, auto_renewal: isAuto } of orders) {
    const name = `${isAuto ? 'auto-renewal' : kind} ${state}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

async function tasksOf({ db }: Books): Promise<Reckoning['tasks']> {
  const tasks = await db.selectFrom('operator_tasks').select(['kind', 'reason']).where('done_at', 'is', null).execute()
  return [...Map.groupBy(tasks, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    count: of.length,
    reason: of[0]?.reason ?? '',
  }))
}
