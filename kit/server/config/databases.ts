import { hostsOf } from '../database-hosts.ts'
import { oneOf, type Reading } from './reading.ts'

export type DatabaseSettings = {
  /** Null: the embedded one. */
  databaseUrl: string | null
  /** The same database as the role that owns its tables. */
  migrationDatabaseUrl: string | null
  /** Whether connections keep statements: not where a pooler hands them round that does not know of those. */
  keepsStatements: boolean
}

/** Which database, and how it is used. */
export function databaseSettings(read: Reading): DatabaseSettings {
  const [ours, owners] = [databaseUrl(read, 'DATABASE_URL'), databaseUrl(read, 'MIGRATION_DATABASE_URL')]
  if (owners && !ours) read.fault('MIGRATION_DATABASE_URL goes with DATABASE_URL, which is missing.')
  const keeps = oneOf(read, 'DATABASE_PREPARED_STATEMENTS', ['on', 'off'], 'on')
  return { databaseUrl: ours, migrationDatabaseUrl: owners, keepsStatements: keeps === 'on' }
}

function databaseUrl({ env, fault }: Reading, name: string): string | null {
  const value = env[name]
  if (!value) return null
  if (!/^postgres(ql)?:\/\//.test(value)) fault(`${name} must start with postgres:// or postgresql://.`)
  else {
    const hosts = hostsOf(value)
    if ('fault' in hosts) fault(`${name} ${hosts.fault}`)
  }
  return value
}
