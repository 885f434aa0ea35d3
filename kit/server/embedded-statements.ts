import { type messages, Mutex, type PGlite, protocol, TransactionAbortedError } from '@electric-sql/pglite'

const { serialize } = protocol

type QueryResult<T> = { rows: T[]; fields: Column[]; affectedRows: number }
type Column = { name: string; dataTypeID: number }
type ExecuteStatement = <T>(statement: string, parameters?: readonly unknown[]) => Promise<QueryResult<T>>
type ProtocolMessage = Awaited<ReturnType<PGlite['execProtocolStream']>>[number]

type PreparedStatement = { name: string; parameters: number[]; columns: Column[]; runs: number }

/** Maximum number of prepared statements. Each one keeps its plan in memory. */
const maxPreparedStatements = 256
/** Maximum number of runs for a prepared plan. A plan is made for the tables' current size and becomes unsuitable as they grow. */
const maxRunsPerPlan = 1_000

const schemaCommands = new Set(['CREATE', 'ALTER', 'DROP', 'DO'])

/**
 * Runs statements on the embedded database's only connection. Each statement is parsed and planned once and then only executed. The
 * library's own query method repeats the whole preparation on every call, which takes ten times as long.
 */
export function prepareStatements(pglite: PGlite) {
  const mutex = new Mutex()
  const statements = createStatementCache(pglite)
  const { ask } = statements
  return {
    get closed() {
      return pglite.closed
    },
    ready: true,
    waitReady: pglite.waitReady,
    close: () => pglite.close(),
    query: <T>(statement: string, parameters?: readonly unknown[]) =>
      mutex.runExclusive(() => ask<T>(statement, parameters)),
    transaction: <T>(work: (trx: { query: ExecuteStatement; rollback(): Promise<void> }) => Promise<T>) =>
      mutex.runExclusive(async () => {
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

type StatementCache = ReturnType<typeof createStatementCache>

function createStatementCache(pglite: PGlite) {
  const preparedStatements = new Map<string, PreparedStatement>()
  let [made, tablesChanged] = [0, false]

  const send = (...parts: Uint8Array[]): Promise<ProtocolMessage[]> =>
    pglite.execProtocolStream(new Uint8Array(Buffer.concat([...parts, serialize.sync()])), { syncToFs: false })

  async function clearStatements(): Promise<void> {
    preparedStatements.clear()
    // A failed transaction rejects `deallocate all`. That is harmless, because the old statement names are never reused.
    await send(serialize.query('deallocate all')).catch(() => [])
  }

  async function prepareStatement(statement: string): Promise<PreparedStatement> {
    const name = `s${++made}`
    const told = await send(serialize.parse({ name, text: statement }), serialize.describe({ type: 'S', name }))
    const { dataTypeIDs: parameters } = told.find(isParameterDescription) ?? { dataTypeIDs: [] }
    const ready = { name, parameters, columns: told.find(isRowDescription)?.fields ?? [], runs: 0 }
    const [oldest] = preparedStatements.size < maxPreparedStatements ? [] : preparedStatements.keys()
    if (oldest !== undefined) await close(oldest)
    preparedStatements.set(statement, ready)
    return ready
  }

  async function close(statement: string): Promise<void> {
    const name = preparedStatements.get(statement)?.name
    preparedStatements.delete(statement)
    if (name) await send(serialize.close({ type: 'S', name }))
  }

  const executeStatement: ExecuteStatement = async <T>(statement: string, parameters: readonly unknown[] = []) => {
    const known = preparedStatements.get(statement)
    if (known && known.runs >= maxRunsPerPlan) await close(statement)
    const ready = preparedStatements.get(statement) ?? (await prepareStatement(statement))
    ready.runs++
    // Re-inserting the statement moves it to the end, so that the least recently used statement is closed first.
    if (preparedStatements.delete(statement)) preparedStatements.set(statement, ready)
    const values = parameters.map((value, index) => serialiseParameter(pglite, value, ready.parameters[index] ?? 0))
    const told = await send(serialize.bind({ statement: ready.name, values }), executeMessage)
    if (schemaCommands.has(parseCommandTag(told).name)) {
      tablesChanged = true
      await clearStatements()
    }
    return buildQueryResult<T>(pglite, ready.columns, told)
  }

  return {
    send,
    ask: executeStatement,
    forget: clearStatements,
    tablesChanged: () => tablesChanged,
    begun: () => (tablesChanged = false),
  }
}

async function beginTransaction(pglite: PGlite, { send, forget, tablesChanged, begun }: StatementCache) {
  begun()
  await send(serialize.query('begin'))
  return {
    async commit() {
      const told = await send(serialize.query('commit'))
      // A commit reports ROLLBACK if one of the transaction's statements failed.
      if (told.some((message) => isCommandComplete(message) && message.text === 'ROLLBACK'))
        throw new TransactionAbortedError()
    },
    async rollback() {
      if (pglite.isInTransaction()) await send(serialize.query('rollback'))
      if (tablesChanged()) await forget()
    },
  }
}

const executeMessage = serialize.execute({})

const isParameterDescription = (message: ProtocolMessage): message is messages.ParameterDescriptionMessage =>
  message.name === 'parameterDescription'
const isRowDescription = (message: ProtocolMessage): message is messages.RowDescriptionMessage =>
  message.name === 'rowDescription'
const isDataRow = (message: ProtocolMessage): message is messages.DataRowMessage => message.name === 'dataRow'
const isCommandComplete = (message: ProtocolMessage): message is messages.CommandCompleteMessage =>
  message.name === 'commandComplete'

function serialiseParameter({ serializers }: PGlite, value: unknown, type: number): string | null {
  if (value === null || value === undefined) return null
  const serialize = serializers[type]
  return serialize ? serialize(value) : String(value)
}

function buildQueryResult<T>({ parsers }: PGlite, columns: Column[], told: ProtocolMessage[]): QueryResult<T> {
  const columnParsers = columns.map(({ dataTypeID }) => parsers[dataTypeID])
  const rows = told.filter(isDataRow).map(({ fields }) => {
    const row: Record<string, unknown> = {}
    columns.forEach(({ name, dataTypeID }, index) => {
      const value = fields[index] ?? null
      const read = columnParsers[index]
      row[name] = value === null || !read ? value : read(value, dataTypeID)
    })
    return row as T
  })
  const { name, count } = parseCommandTag(told)
  return { rows, fields: columns, affectedRows: writeCommands.has(name) ? count : 0 }
}

function parseCommandTag(told: ProtocolMessage[]): { name: string; count: number } {
  const tagParts = (told.find(isCommandComplete)?.text ?? '').split(' ')
  return { name: tagParts[0] ?? '', count: Number(tagParts.at(-1)) }
}

const writeCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
