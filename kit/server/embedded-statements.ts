import { type messages, Mutex, type PGlite, protocol, TransactionAbortedError } from '@electric-sql/pglite'

const { serialize } = protocol

type Answer<T> = { rows: T[]; fields: Column[]; affectedRows: number }
type Column = { name: string; dataTypeID: number }
type Ask = <T>(statement: string, parameters?: readonly unknown[]) => Promise<Answer<T>>
type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number]

type Prepared = { name: string; parameters: number[]; columns: Column[]; runs: number }

/** Maximum prepared statements, because their plans stay in memory. */
const mostPrepared = 256
/** Maximum runs of a plan. A plan suits tables of a certain size, and the tables grow. */
const mostRuns = 1_000

const schemaChanges = new Set(['CREATE', 'ALTER', 'DROP', 'DO'])

/**
 * The only connection of the embedded database. It parses and plans each statement once, and then only runs it. The library's own way does
 * all of this each time, in five steps, and takes ten times as long.
 */
export function prepareStatements(pglite: PGlite) {
  const turn = new Mutex()
  const statements = createStatements(pglite)
  const { ask } = statements
  return {
    get closed() {
      return pglite.closed
    },
    ready: true,
    waitReady: pglite.waitReady,
    close: () => pglite.close(),
    query: <T>(statement: string, parameters?: readonly unknown[]) =>
      turn.runExclusive(() => ask<T>(statement, parameters)),
    transaction: <T>(work: (trx: { query: Ask; rollback(): Promise<void> }) => Promise<T>) =>
      turn.runExclusive(async () => {
        const { commit, rollback } = await beginTransaction(pglite, statements)
        try {
          const done = await work({ query: ask, rollback })
          await commit()
          return done
        } catch (error) {
          await rollback()
          throw error
        }
      }),
  }
}

type Statements = ReturnType<typeof createStatements>

function createStatements(pglite: PGlite) {
  const prepared = new Map<string, Prepared>()
  let [made, tablesChanged] = [0, false]

  const send = (...parts: Uint8Array[]): Promise<Message[]> =>
    pglite.execProtocolStream(new Uint8Array(Buffer.concat([...parts, serialize.sync()])), { syncToFs: false })

  async function forget(): Promise<void> {
    prepared.clear()
    // A failed transaction rejects this command. The old names are not used again.
    await send(serialize.query('deallocate all')).catch(() => [])
  }

  async function prepare(statement: string): Promise<Prepared> {
    const name = `s${++made}`
    const told = await send(serialize.parse({ name, text: statement }), serialize.describe({ type: 'S', name }))
    const { dataTypeIDs: parameters } = told.find(isParameters) ?? { dataTypeIDs: [] }
    const ready = { name, parameters, columns: told.find(isColumns)?.fields ?? [], runs: 0 }
    const [oldest] = prepared.size < mostPrepared ? [] : prepared.keys()
    if (oldest !== undefined) await close(oldest)
    prepared.set(statement, ready)
    return ready
  }

  async function close(statement: string): Promise<void> {
    const name = prepared.get(statement)?.name
    prepared.delete(statement)
    if (name) await send(serialize.close({ type: 'S', name }))
  }

  const ask: Ask = async <T>(statement: string, parameters: readonly unknown[] = []) => {
    const known = prepared.get(statement)
    if (known && known.runs >= mostRuns) await close(statement)
    const ready = prepared.get(statement) ?? (await prepare(statement))
    ready.runs++
    // The statement moves to the end, so that the least recently used statement is closed first.
    if (prepared.delete(statement)) prepared.set(statement, ready)
    const values = parameters.map((value, index) => asText(pglite, value, ready.parameters[index] ?? 0))
    const told = await send(serialize.bind({ statement: ready.name, values }), run)
    if (schemaChanges.has(commandOf(told).name)) {
      tablesChanged = true
      await forget()
    }
    return answerOf<T>(pglite, ready.columns, told)
  }

  return { send, ask, forget, tablesChanged: () => tablesChanged, begun: () => (tablesChanged = false) }
}

async function beginTransaction(pglite: PGlite, { send, forget, tablesChanged, begun }: Statements) {
  begun()
  await send(serialize.query('begin'))
  return {
    async commit() {
      const told = await send(serialize.query('commit'))
      // A commit ends like this when a statement of the transaction has failed.
      if (told.some((message) => isDone(message) && message.text === 'ROLLBACK')) throw new TransactionAbortedError()
    },
    async rollback() {
      if (pglite.isInTransaction()) await send(serialize.query('rollback'))
      if (tablesChanged()) await forget()
    },
  }
}

const run = serialize.execute({})

const isParameters = (message: Message): message is messages.ParameterDescriptionMessage =>
  message.name === 'parameterDescription'
const isColumns = (message: Message): message is messages.RowDescriptionMessage => message.name === 'rowDescription'
const isRow = (message: Message): message is messages.DataRowMessage => message.name === 'dataRow'
const isDone = (message: Message): message is messages.CommandCompleteMessage => message.name === 'commandComplete'

function asText({ serializers }: PGlite, value: unknown, type: number): string | null {
  if (value === null || value === undefined) return null
  const serialize = serializers[type]
  return serialize ? serialize(value) : String(value)
}

function answerOf<T>({ parsers }: PGlite, columns: Column[], told: Message[]): Answer<T> {
  const readers = columns.map(({ dataTypeID }) => parsers[dataTypeID])
  const rows = told.filter(isRow).map(({ fields }) => {
    const row: Record<string, unknown> = {}
    columns.forEach(({ name, dataTypeID }, index) => {
      const value = fields[index] ?? null
      const read = readers[index]
      row[name] = value === null || !read ? value : read(value, dataTypeID)
    })
    return row as T
  })
  const { name, count } = commandOf(told)
  return { rows, fields: columns, affectedRows: writes.has(name) ? count : 0 }
}

function commandOf(told: Message[]): { name: string; count: number } {
  const words = (told.find(isDone)?.text ?? '').split(' ')
  return { name: words[0] ?? '', count: Number(words.at(-1)) }
}

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
