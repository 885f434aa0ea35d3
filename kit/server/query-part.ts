import type { Writable } from 'node:stream'
import pg from 'pg'
import utils from 'pg/lib/utils.js'

/** A statement with its values; under a name the server keeps it for the connection. */
export type Statement = { text: string; values: readonly unknown[]; name?: string | undefined }

/** What the driver has of a connection, of a query and of its answer that its types do not name. */
export type Wire = pg.Connection & {
  stream: Writable
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(statement: { text: string; name: string | undefined }): void
  bind(asked: { statement: string | undefined; values: readonly unknown[] }): void
  describe(what: { type: 'P' }): void
  execute(what: object): void
  sync(): void
}
export type Row = { fields: object[] }
type Answer = pg.QueryResult & {
  addFields(fields: object[]): void
  parseRow(fields: object[]): unknown
  addRow(row: unknown): void
  addCommandComplete(message: object): void
}
const Answer = (pg as unknown as { Result: new () => Answer }).Result

/**
 * Values as they are sent; what has been written down already stays as it is.
 * @throws for one that cannot be written down
 */
export const asSent = (values: readonly unknown[]): unknown[] => values.map(utils.prepareValue)

/** What statements that the server keeps for a connection answer with, by their names: answers without rows. */
export type KnownAnswers = Map<string, Answer>

const nothingYet = () => ({ command: null, rowCount: null, oid: null, rows: [] })

/** A statement of a batch, and what has come of it. */
export class Part {
  readonly text: string
  readonly name: string | undefined
  readonly answer = new Answer()
  /** Why what was answered could not be read. */
  fault: Error | null = null
  readonly #values: unknown[]

  constructor({ text, values, name }: Statement) {
    this.text = text
    this.name = name
    // As they are sent: what could not be written down must not be found out halfway through the batch.
    this.#values = asSent(values)
  }

  write(pen: Wire, known: KnownAnswers): void {
    const { name = '', text } = this
    if (name === '' || !(pen.parsedStatements[name] ?? pen.submittedNamedStatements[name])) {
      pen.parse({ text, name })
      if (name !== '') pen.submittedNamedStatements[name] = text
    }
    pen.bind({ statement: name, values: this.#values })
    const before = known.get(name)
    // The server would refuse the statement sooner than answer with other columns.
    if (before) Object.assign(this.answer, before, nothingYet())
    else pen.describe({ type: 'P' })
    pen.execute({})
  }

  /** What it answers next time is known by then. */
  end(message: object, known: KnownAnswers): void {
    this.answer.addCommandComplete(message)
    const { name } = this
    if (name !== undefined && !known.has(name)) known.set(name, Object.assign(new Answer(), this.answer, nothingYet()))
  }

  read({ fields }: Row): void {
    if (this.fault) return
    try {
      this.answer.addRow(this.answer.parseRow(fields))
    } catch (error) {
      this.fault = error as Error
    }
  }
}

/** What is written on a connection, in one piece: each piece would be handed to the kernel by itself. */
export function inOnePiece(wire: Wire, write: (pen: Wire) => void): Buffer {
  const pieces: Buffer[] = []
  const sheet = { writable: true, write: (piece: Buffer) => pieces.push(piece) }
  write(Object.create(wire, { stream: { value: sheet } }) as Wire)
  return Buffer.concat(pieces)
}
