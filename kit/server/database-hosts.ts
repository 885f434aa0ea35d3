import { Socket } from 'node:net'
import pg from 'pg'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'

type ParsedHosts = { urls: string[] } | { fault: string }

const databaseUrlPattern = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(\/[^?#@]*)?(?:\?([^#]*))?$/
const hostPattern = /^(?:\[[\da-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i

/** Parses `postgres://user:password@host1:5432,host2:5433/name?target_session_attrs=read-write`. */
export function parseHosts(url: string): ParsedHosts {
  const [, front = '', written = '', name = '', query = ''] = databaseUrlPattern.exec(url) ?? []
  if (!front) return { fault: 'must be an address such as postgres://user:password@host:5432/name.' }
  const options = new URLSearchParams(query)
  const targetSessionAttrs = options.get('target_session_attrs')
  if (targetSessionAttrs !== null && targetSessionAttrs !== 'read-write' && targetSessionAttrs !== 'primary')
    return { fault: `asks for target_session_attrs=${targetSessionAttrs}; it must be read-write, or left out.` }
  if (options.get('host')?.includes(',') || options.get('port')?.includes(','))
    return { fault: 'has its hosts after the question mark; put them before the database name: host1:5432,host2:5432.' }
  const hosts = written.split(',')
  const invalidHost = hosts.find((host) => !isValidHost(host))
  if (invalidHost !== undefined && (hosts.length > 1 || invalidHost !== ''))
    return {
      fault: `has the host ${JSON.stringify(invalidHost)}; each must be a name or an address, and may have a port.`,
    }
  // The driver does not support `target_session_attrs`, so this parameter must not reach it.
  options.delete('target_session_attrs')
  const end = `${name}${options.size > 0 ? `?${options}` : ''}`
  return {
    urls: targetSessionAttrs === null && hosts.length === 1 ? [url] : hosts.map((host) => `${front}${host}${end}`),
  }
}

function isValidHost(host: string): boolean {
  const [whole, port] = hostPattern.exec(host) ?? []
  return whole !== undefined && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535))
}

/** Maximum time to wait for one host, in milliseconds. All hosts are queried at the same time. */
const hostTimeoutMs = 2_000

/**
 * Finds the host that accepts writes by querying all hosts at once. If several accept writes, the most recently promoted one is right; the
 * others have not noticed yet that they were replaced.
 * @throws the error from a host if no host accepts writes
 */
export async function findPrimary(urls: string[]): Promise<string> {
  const hostResults = await Promise.allSettled(urls.map((url) => queryHost(url)))
  const writableHosts = hostResults.flatMap((answer, at) =>
    answer.status === 'fulfilled' && answer.value.takes ? [{ url: urls[at] ?? '', line: answer.value.line }] : [],
  )
  const [first] = writableHosts.toSorted((one, other) => other.line.localeCompare(one.line))
  if (first) return first.url
  const faults = hostResults.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
  if (faults.length < urls.length)
    throw Object.assign(new Error('no host of the database takes writes'), { code: '25006' })
  throw faults[0]
}

/** Asks a host whether it accepts writes, and for its timeline in a sortable form. Each promotion starts a new timeline. */
async function queryHost(url: string): Promise<{ takes: boolean; line: string }> {
  const row = await queryOnce<{ takes: boolean; line: string | null }>(
    url,
    `select current_setting('transaction_read_only') = 'off' as takes,
      case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as line`,
    hostTimeoutMs,
  )
  return { takes: row?.takes === true, line: row?.line ?? '' }
}

/**
 * Runs one query on its own connection and then closes that connection.
 * @throws if no response arrives within `withinMs`
 */
export async function queryOnce<Row extends pg.QueryResultRow>(
  url: string,
  question: string,
  withinMs: number,
): Promise<Row | undefined> {
  const socket = new Socket()
  const client = new pg.Client({ connectionString: url, stream: () => socket })
  let isLoggedIn = false
  const timeout = startSuspendAwareTimer(withinMs, () =>
    socket.destroy(isLoggedIn ? createPostLoginTimeout() : createUnresponsiveHostError()),
  )
  client.on('error', () => {})
  try {
    await client.connect()
    isLoggedIn = true
    const { rows } = await client.query<Row>(question)
    return rows[0]
  } finally {
    timeout.clear()
    // The connection is closed without waiting for the server, which may be gone.
    client.end().catch(() => {})
    socket.destroySoon()
  }
}

const noResponseMessage = 'the database does not answer after the login'
const createPostLoginTimeout = (): Error =>
  Object.assign(new Error(noResponseMessage), { code: 'ETIMEDOUT', syscall: 'read' })
export const isPostLoginTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === noResponseMessage

export const createUnresponsiveHostError = (): Error =>
  Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT', syscall: 'read' })
