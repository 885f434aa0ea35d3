import pg from 'pg'
import { inOnePiece, type KnownAnswers, Part, type Row, type Statement, type Wire } from './query-part.ts'

type Handlers = {
  text: string
  name: string | undefined
  submit(wire: Wire): Error | null
  handleRowDescription(message: Row): void
  handleDataRow(message: Row): void
  handleEmptyQuery(): void
  handleCommandComplete(message: object): void
  handleReadyForQuery(): void
  handleError(error: Error, wire: Wire): void
}

const Query = pg.Query as unknown as new (config: object, callback: () => void) => Handlers

const knownOn = new WeakMap<object, KnownAnswers>()
function knownAnswersOn(wire: object): KnownAnswers {
  const before = knownOn.get(wire)
  if (before) return before
  const known: KnownAnswers = new Map()
  knownOn.set(wire, known)
  return known
}

/** Told what came of a statement, by its place. */
type Settle = (at: number, error: Error | null, result?: pg.QueryResult) => void

/**
 * Statements that are sent as one: the server does one after the other, and after one that fails none of the rest, because only the last
 * is followed by `sync`. So a statement may be sent with the `begin` before it, and never stands without it. The driver takes a query
 * of its own class only, of which this is one, and sends each of its own with a `sync`.
 */
class Batch extends Query {
  readonly #parts: Part[]
  #known: KnownAnswers = new Map()
  #at = 0

  readonly #settle: Settle

  constructor(statements: readonly Statement[], settle: Settle) {
    super({ text: '' }, () => {})
    this.#settle = settle
    this.#parts = statements.map((statement) => new Part(statement))
    this.#take(0)
  }

  /** The driver asks what it reads an answer of is called. */
  #take(at: number): void {
    this.#at = at
    const part = this.#parts[at]
    this.text = part?.text ?? ''
    this.name = part?.name
  }

  #settleUpTo(end: number): void {
    for (const [at, { answer, fault }] of this.#parts.slice(0, end).entries()) this.#settle(at, fault, answer)
  }

  override submit(wire: Wire): Error | null {
    if (!wire.stream.writable) return null
    const known = knownAnswersOn(wire)
    this.#known = known
    const piece = inOnePiece(wire, (pen) => {
      for (const part of this.#parts) part.write(pen, known)
      pen.sync()
    })
    wire.stream.write(piece)
    return null
  }
  override handleRowDescription({ fields }: Row): void {
    this.#parts[this.#at]?.answer.addFields(fields)
  }
  override handleDataRow(message: Row): void {
    this.#parts[this.#at]?.read(message)
  }
  override handleEmptyQuery(): void {
    this.#take(this.#at + 1)
  }
  override handleCommandComplete(message: object): void {
    this.#parts[this.#at]?.end(message, this.#known)
    this.#take(this.#at + 1)
  }
  override handleReadyForQuery(): void {
    this.#settleUpTo(this.#parts.length)
  }
  override handleError(error: Error, wire: Wire): void {
    // What comes after it has not been read by the server.
    for (const { name } of this.#parts.slice(this.#at)) if (name) delete wire.submittedNamedStatements[name]
    this.#settleUpTo(this.#at)
    this.#settle(this.#at, error)
  }
}

/**
 * Sends statements as one, and answers what each answers.
 * @throws what the first that failed says; of the rest nothing is done
 */
export async function queryBatch(client: pg.ClientBase, statements: readonly Statement[]): Promise<pg.QueryResult[]> {
  const { results, error } = await queryUpToFailure(client, statements)
  if (error === null) return results
  // Where it was asked says more than where its answer was read.
  Error.captureStackTrace(error)
  throw error
}

/** What those before the first that failed have answered, and what that one says; null where none has. */
export type UpToFailure = { results: pg.QueryResult[]; error: Error | null }

/** The same, for statements, one at least, that stand each for itself: what was answered before one failed is answered. */
export function queryUpToFailure(client: pg.ClientBase, statements: readonly Statement[]): Promise<UpToFailure> {
  const { promise, resolve } = Promise.withResolvers<UpToFailure>()
  const results: pg.QueryResult[] = []
  let hasFailed = false
  const batch = new Batch(statements, (at, error, result) => {
    if (hasFailed) return
    hasFailed = error !== null
    if (result && !hasFailed) results.push(result)
    if (hasFailed || at === statements.length - 1) resolve({ results, error })
  })
  client.query(batch as unknown as pg.Submittable)
  return promise
}
