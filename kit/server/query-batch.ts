import pg from 'pg'
import utils from 'pg/lib/utils.js'

/** A statement with its values; under a name the server keeps it for the connection. */
export type Statement = { text: string; values: readonly unknown[]; name?: string | undefined }

type Done = (error: Error | null, result?: pg.QueryResult) => void

/** What the driver has of a connection and of a query that its types do not name. */
type Wire = pg.Connection & { sync(): void; submittedNamedStatements: Record<string, string> }
type Handlers = {
  text: string
  name: string | undefined
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleEmptyQuery(wire: Wire): void
  handleCommandComplete(message: object, wire: Wire): void
  handleReadyForQuery(wire: Wire): void
  handleError(error: Error, wire: Wire): void
}

const Query = pg.Query as unknown as new (
  config: object,
  callback: Done,
) => Handlers & { submit(wire: Wire): Error | null }

/** A statement of a batch: what ends it is the batch's. */
class Part extends Query {
  constructor({ text, values, name }: Statement, done: Done) {
    // As they are sent: what could not be written down must not be found out halfway through the batch.
    super(
      { text, values: values.map(utils.prepareValue), queryMode: 'extended', ...(name !== undefined && { name }) },
      done,
    )
  }
  _getRows(wire: { execute(portal: { portal: string }): void }): void {
    wire.execute({ portal: '' })
  }
}

/**
 * Statements that are sent as one: the server does one after the other, and after one that fails none of the rest, because only the last
 * is followed by `sync`. So a statement may be sent with the `begin` before it, and never stands without it. The driver takes a query
 * of its own class only, of which this is one, and sends each of its own with a `sync`.
 */
class Batch extends Query {
  readonly #parts: Part[]
  #at = 0

  constructor(statements: readonly Statement[], done: (error: Error | null, results?: pg.QueryResult[]) => void) {
    super({ text: '' }, () => {})
    const results: pg.QueryResult[] = []
    this.#parts = statements.map(
      (statement, at) =>
        new Part(statement, (error, result) => {
          if (error) return done(error)
          if (result) results.push(result)
          if (at === statements.length - 1) done(null, results)
        }),
    )
    this.#take(0)
  }

  /** The driver asks what it reads an answer of is called. */
  #take(at: number): void {
    this.#at = at
    const part = this.#parts[at]
    this.text = part?.text ?? ''
    this.name = part?.name
  }

  override submit(wire: Wire): Error | null {
    wire.stream.cork()
    for (const part of this.#parts) part.submit(wire)
    wire.sync()
    wire.stream.uncork()
    return null
  }
  override handleRowDescription(message: object): void {
    this.#parts[this.#at]?.handleRowDescription(message)
  }
  override handleDataRow(message: object): void {
    this.#parts[this.#at]?.handleDataRow(message)
  }
  override handleEmptyQuery(wire: Wire): void {
    this.#parts[this.#at]?.handleEmptyQuery(wire)
    this.#take(this.#at + 1)
  }
  override handleCommandComplete(message: object, wire: Wire): void {
    this.#parts[this.#at]?.handleCommandComplete(message, wire)
    this.#take(this.#at + 1)
  }
  override handleReadyForQuery(wire: Wire): void {
    for (const part of this.#parts) part.handleReadyForQuery(wire)
  }
  override handleError(error: Error, wire: Wire): void {
    // What comes after it has not been read by the server.
    for (const { name } of this.#parts.slice(this.#at)) if (name) delete wire.submittedNamedStatements[name]
    this.#parts[this.#at]?.handleError(error, wire)
  }
}

/**
 * Sends statements as one, and answers what each answers.
 * @throws what the first that failed says; of the rest nothing is done
 */
export async function queryBatch(client: pg.ClientBase, statements: readonly Statement[]): Promise<pg.QueryResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult[]>()
  const batch = new Batch(statements, (error, results = []) => (error ? reject(error) : resolve(results)))
  client.query(batch as unknown as pg.Submittable)
  try {
    return await promise
  } catch (error) {
    // Where it was asked says more than where its answer was read.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}
