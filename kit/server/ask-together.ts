import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/** Timers of one moment do not go off in the same millisecond. */
const momentMs = 10

type Asked = { name: string; question: RawBuilder<unknown>; answer(value: unknown): void; fail(error: unknown): void }

const waiting = new WeakMap<Db, Asked[]>()

/**
 * Asks for one value, in one statement with whatever else is asked like this in the same moment: for those that look again and again.
 * The name says which question it is, so that the same ones make the same statement, whatever order they come in.
 */
export function askTogether<T>(db: Db, name: string, question: RawBuilder<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const asked: Asked = { name, question, answer: (value) => resolve(value as T), fail: reject }
  const others = waiting.get(db)
  if (others) others.push(asked)
  else {
    waiting.set(db, [asked])
    setTimeout(() => void askAll(db), momentMs)
  }
  return promise
}

/** Milliseconds until the next turn of those that look as often as this: they all have it at the same moment. */
export const untilNextTurn = (everyMs: number): number => everyMs - (performance.now() % everyMs)

async function askAll(db: Db): Promise<void> {
  const all = (waiting.get(db) ?? []).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  waiting.delete(db)
  const failure = await ask(db, all)
  if (!failure) return
  // What is wrong with one question is not to keep the others from their answers.
  if (all.length === 1) all[0]?.fail(failure.reason)
  else for (const each of all) void ask(db, [each]).then((own) => own && each.fail(own.reason))
}

async function ask(db: Db, all: Asked[]): Promise<{ reason: unknown } | null> {
  try {
    const columns = all.map(({ question }, at) => sql`${question} as ${sql.ref(`answer_${at}`)}`)
    const { rows } = await sql<Record<string, unknown>>`select ${sql.join(columns)}`.execute(db)
    for (const [at, each] of all.entries()) each.answer(rows[0]?.[`answer_${at}`])
    return null
  } catch (reason) {
    return { reason }
  }
}
